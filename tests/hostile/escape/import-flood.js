// attack: a hundred thousand imports that all fail
// expect: value "contained" | timeout | memory_limit
// bound: deadline + 500 ms
for (let i = 0; i < 1e5; i++) import('x' + i).catch(() => {});
return 'contained';
