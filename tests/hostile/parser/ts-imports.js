// attack: 50,000 imports of one name
// expect: syntax_error
// bound: deadline - 500 ms
/*repeat 50000 "import { A } from 'a'; "*/return 1;
