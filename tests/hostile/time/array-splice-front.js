// attack: unshift moves a million elements each time
// expect: timeout
// bound: deadline + 500 ms
const a = new Array(2e6).fill(0);
for (;;) { a.splice(0, 1, 1, 2); a.length = 2e6; }
