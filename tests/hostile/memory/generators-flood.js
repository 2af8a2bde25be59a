// attack: suspended generators by the million
// expect: memory_limit | exception
// bound: deadline + 500 ms
function* g(n) { let a = [n, n, n]; yield a; }
const keep = [];
for (let i = 0; ; i++) {
  const it = g(i);
  it.next();
  keep.push(it);
}
