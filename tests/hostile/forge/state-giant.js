// attack: a state of megabytes, which the next run would have to carry
// expect: value 1 | exception | memory_limit
// bound: deadline + 500 ms
state.big = 'x'.repeat(2e7);
return 1;
