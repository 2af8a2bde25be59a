// attack: 100,000 declarations in one scope
// expect: value 3
// bound: deadline + 500 ms
/*repeat 100000 "{let a}"*/return 3;
