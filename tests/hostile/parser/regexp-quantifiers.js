// attack: counted repeats that multiply to a giant program
// expect: value false
// bound: deadline + 500 ms
return /(((((a{1,99}){1,99}){1,99}){1,99}){1,99}){1,99}/.test("b");
