// attack: a native sort of doubles, again and again
// expect: timeout
// bound: deadline + 500 ms
const a = new Float64Array(3e6);
for (;;) {
  for (let i = 0; i < a.length; i++) a[i] = (i * 7919) % 1000003;
  a.sort();
}
