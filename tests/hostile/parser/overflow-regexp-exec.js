// attack: a replaced exec that tests itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const r = /x/g;
r.exec = (t) => r.test(t);
return r.test('x');
