// attack: sort that sorts itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const f = () => [1, 2, 3].sort(f)[0];
f();
