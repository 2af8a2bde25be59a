// attack: finish with what can't be written
// expect: exception
// bound: deadline - 500 ms
const a = [];
a[0] = a;
finish(a);
