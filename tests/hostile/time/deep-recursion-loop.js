// attack: a stack overflow, caught, again and again
// expect: timeout
// bound: deadline + 500 ms
const f = () => f() + 1;
for (;;) { try { f(); } catch { /* again */ } }
