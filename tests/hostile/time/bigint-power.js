// attack: a power of millions of digits
// expect: timeout | exception | memory_limit
// bound: deadline + 500 ms
return String((12345678901234567890n ** 2000000n) % 7n);
