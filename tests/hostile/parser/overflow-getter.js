// attack: a getter that reads itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const o = { get x() { return this.x; } };
return o.x;
