// attack: a hundred thousand warnings out of one result
// expect: value {}
// bound: deadline + 500 ms
const o = {};
for (let i = 0; i < 1e5; i++) o['k' + i] = () => i;
return o;
