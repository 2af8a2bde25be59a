// attack: JSON.stringify of a list a million deep
// expect: exception
// bound: deadline + 500 ms
let a = [];
for (let i = 0; i < 1e6; i++) a = [a];
return JSON.stringify(a).length;
