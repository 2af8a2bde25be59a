// attack: a result nested 100,000 levels deep
// expect: result_not_serializable
// bound: deadline + 500 ms
let a = [];
for (let i = 0; i < 1e5; i++) a = [a];
return a;
