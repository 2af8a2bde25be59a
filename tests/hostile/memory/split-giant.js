// attack: 268 million one-letter strings out of one rope
// expect: memory_limit | exception
// bound: deadline + 500 ms
return 'a'.repeat(2 ** 28).split('').length;
