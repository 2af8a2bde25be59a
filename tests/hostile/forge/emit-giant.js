// attack: a block of 30 MB
// expect: value 1 | exception | memory_limit
// bound: deadline + 500 ms
emit({ type: 'text', text: 'x'.repeat(3e7) });
return 1;
