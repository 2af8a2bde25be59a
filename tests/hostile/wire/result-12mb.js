// attack: a result just under what the worker may send, of letters that take three bytes
// expect: value cut
// bound: deadline + 500 ms
const s = '\u20ac'.repeat(12 * 1024 * 1024 - 10);
return s;
