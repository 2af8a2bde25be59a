// attack: the script tries to survive its own end with catch and finally
// expect: memory_limit | exception
// bound: deadline + 500 ms
const hold = [];
const grow = () => { for (;;) hold.push(new Array(1000).fill(hold.length)); };
for (;;) {
  try { grow(); } catch { /* again */ } finally { grow(); }
}
