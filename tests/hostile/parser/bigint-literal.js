// attack: a BigInt literal of a million digits
// expect: value "bigint"
// bound: deadline + 500 ms
return typeof 1/*repeat 1000000 "7"*/n;
