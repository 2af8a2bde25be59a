// attack: spreading an endless generator of nothing
// expect: timeout
// bound: deadline + 500 ms
function* g() { for (;;) yield* []; }
return [...g()];
