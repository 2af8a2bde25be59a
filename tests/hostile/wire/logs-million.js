// attack: a million console lines
// expect: value 1
// bound: deadline + 500 ms
for (let i = 0; i < 1e6; i++) console.log('line ' + i);
return 1;
