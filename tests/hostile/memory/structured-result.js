// attack: a result that is small in memory and huge as JSON
// expect: result_not_serializable | memory_limit | exception
// bound: deadline + 500 ms
let o = 'x'.repeat(1000);
for (let i = 0; i < 16; i++) o = [o, o];
return o;
