// attack: the plainest endless loop
// expect: timeout
// bound: deadline + 500 ms
for (;;) {}
