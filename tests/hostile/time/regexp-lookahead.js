// attack: backtracking inside lookarounds
// expect: timeout
// bound: deadline + 500 ms
return /^(?=((?:x+x+)+y))\1/.test('x'.repeat(60));
