// attack: import.meta outside of a module
// expect: syntax_error
// bound: deadline - 500 ms
return import.meta.url;
