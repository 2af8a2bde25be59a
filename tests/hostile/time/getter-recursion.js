// attack: a getter that never comes back
// expect: timeout
// bound: deadline + 500 ms
const o = { get x() { for (;;) {} } };
return o.x;
