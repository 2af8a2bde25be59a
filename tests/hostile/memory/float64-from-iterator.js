// attack: a typed array out of an endless iterator
// expect: memory_limit | exception
// bound: deadline + 500 ms
return Float64Array.from({ *[Symbol.iterator]() { for (;;) yield 1; } }).length;
