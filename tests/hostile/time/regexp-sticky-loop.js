// attack: exec on a pattern that matches nothing, for ever
// expect: timeout
// bound: deadline + 500 ms
const r = /(?:)/g;
while (r.exec('abc')) {}
return 1;
