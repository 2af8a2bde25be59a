// attack: a function that calls itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const f = () => f() + 1;
return f();
