// attack: it makes the wrapper the first of two expressions
// expect: syntax_error
// bound: deadline - 500 ms
}, globalThis.out = 1, async () => {
  return 'second';
