// attack: waiting by the clock
// expect: timeout
// bound: deadline + 500 ms
const end = Date.now() + 1e9;
while (Date.now() < end) {}
