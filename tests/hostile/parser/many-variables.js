// attack: 50,000 declarations in one scope
// expect: value 3
// bound: deadline + 500 ms
/*repeat 50000 "{let a}"*/return 3;
