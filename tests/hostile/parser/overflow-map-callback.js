// attack: map that maps itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const f = () => [0].map(f);
f();
