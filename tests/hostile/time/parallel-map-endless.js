// attack: parallelMap over an endless iterator
// expect: memory_limit | exception | timeout
// bound: deadline + 500 ms
await parallelMap({ *[Symbol.iterator]() { for (;;) yield 1; } }, async (x) => x, 32);
