// attack: TypeScript: f<x, f<x, ...: generics or comparisons, tried again at each step
// expect: syntax_error
// bound: deadline - 500 ms
const y: number = 1;
return /*repeat 20000 "f<x,"*/1;
