// attack: a million empty console lines
// expect: value 1
// bound: deadline + 500 ms
for (let i = 0; i < 1e6; i++) console.log('');
return 1;
