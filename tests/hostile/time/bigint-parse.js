// attack: BigInt of a text of forty million digits
// expect: timeout | exception | memory_limit
// bound: deadline + 500 ms
return String(BigInt('7'.repeat(4e7)) & 1n);
