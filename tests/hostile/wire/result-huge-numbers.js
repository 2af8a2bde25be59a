// attack: numbers at the edges
// expect: value [1.7976931348623157e308,5e-324,0,9007199254740992,"1267650600228229401496703205376"]
// bound: deadline + 500 ms
return [Number.MAX_VALUE, 5e-324, -0, 2 ** 53, 1n << 100n];
