// attack: it turns the wrapper into a tagged template
// expect: syntax_error
// bound: deadline - 500 ms
}`x`; async () => {
  return 1;
