// attack: a million blocks for the answer
// expect: value 1 | exception | timeout
// bound: deadline + 500 ms
for (let i = 0; i < 1e6; i++) emit({ type: 'text', text: 'block ' + i });
return 1;
