// attack: a loop of microtasks: the event loop never turns
// expect: timeout
// bound: deadline + 500 ms
for (;;) await null;
