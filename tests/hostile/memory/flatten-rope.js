// attack: a rope of 500 MB, flattened by a search
// expect: memory_limit | exception
// bound: deadline + 500 ms
let rope = 'seed ';
while (rope.length < 5e8) rope += rope.length + rope.slice(0, 1 << 28);
const all = [];
for (let i = 0; i < 100; i++) all.push((rope + i).indexOf('needle'));
return all.length;
