// attack: JSON.stringify of a small graph that is a huge tree
// expect: memory_limit | exception
// bound: deadline + 500 ms
let o = { x: 'leaf' };
for (let i = 0; i < 40; i++) o = { a: o, b: o };
return JSON.stringify(o).length;
