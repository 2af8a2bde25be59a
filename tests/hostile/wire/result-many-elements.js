// attack: a result of two million elements
// expect: value cut
// bound: deadline + 500 ms
return Array.from({ length: 2e6 }, (_, i) => i % 10);
