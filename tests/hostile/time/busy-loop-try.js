// attack: an endless loop that catches its own end
// expect: timeout
// bound: deadline + 500 ms
for (;;) {
  try { for (;;) {} } catch { /* on */ } finally { for (;;) {} }
}
