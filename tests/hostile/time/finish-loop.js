// attack: it goes on after finish in a finally block
// expect: value 1
// bound: deadline + 500 ms
try { finish(1); } catch { for (;;) {} } finally { for (;;) {} }
