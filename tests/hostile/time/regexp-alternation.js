// attack: overlapping alternatives in a loop
// expect: timeout
// bound: deadline + 500 ms
return /^(?:a|aa|a?)*c$/.test('a'.repeat(60));
