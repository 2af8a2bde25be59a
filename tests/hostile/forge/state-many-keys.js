// attack: a state of a million keys
// expect: value 1 | memory_limit | timeout | exception
// bound: deadline + 500 ms
for (let i = 0; i < 1e6; i++) state['k' + i] = i;
return 1;
