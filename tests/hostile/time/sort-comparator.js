// attack: a comparator that never agrees with itself
// expect: timeout
// bound: deadline + 500 ms
const a = Array.from({ length: 2e5 }, (_, i) => i);
for (;;) a.sort(() => Math.random() - 0.5);
