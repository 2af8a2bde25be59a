// attack: finish in a getter of the result
// expect: value "inner" | exception
// bound: deadline - 500 ms
return { get a() { finish('inner'); return 1; } };
