// attack: a sleep that is longer than the deadline
// expect: timeout
// bound: deadline + 500 ms
await sleep(1e9);
