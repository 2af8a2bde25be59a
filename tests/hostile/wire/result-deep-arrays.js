// attack: a result at the depth that is allowed
// expect: value any
// bound: deadline + 500 ms
let a = [];
for (let i = 0; i < 400; i++) a = [a];
return a;
