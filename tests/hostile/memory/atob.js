// attack: base64 of giants
// expect: memory_limit | exception
// bound: deadline + 500 ms
let s = 'abcd';
for (;;) s = btoa(s) + btoa(s);
