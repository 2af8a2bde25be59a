// attack: the wrapper's length check, after Function.prototype.toString was replaced
// expect: syntax_error
// bound: deadline - 500 ms
}, (globalThis.__proto__.x = 1), (() => {}).__proto__.toString = () => 'x'.repeat(500), async () => {
  return 1;
