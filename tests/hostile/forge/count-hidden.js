// attack: calls that were refused count as well
// expect: value 1
// bound: deadline - 500 ms
// calls: 10
for (let i = 0; i < 10; i++) await tools['no such ' + i]({}).catch(() => 0);
return 1;
