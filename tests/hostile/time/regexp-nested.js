// attack: exponential backtracking
// expect: timeout
// bound: deadline + 500 ms
return /^(a+)+$/.test('a'.repeat(40) + 'b');
