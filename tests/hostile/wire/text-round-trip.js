// attack: NUL and letters outside the plane come back unchanged
// expect: value [7,"k\u0000"] | exception
// bound: deadline + 500 ms
const s = 'a\0b\u00ff\u{1F600}\0';
await tools.write_file({ path: 'text.txt', content: s });
console.log('x\0y');
return [s.length, 'k\0'];
