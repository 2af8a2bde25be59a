// attack: one letter more than the longest string
// expect: exception
// bound: deadline + 500 ms
// message: Invalid string length
return 'x'.repeat(2 ** 29).length;
