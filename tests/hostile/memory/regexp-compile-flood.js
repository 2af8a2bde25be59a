// attack: compiled regular expressions live in their own zone
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) {
  const r = new RegExp('(?:a' + i + '|b{1,50}|[^c-f]{2,40}){1,20}$', 'u');
  r.test('x' + i);
  keep.push(r);
}
