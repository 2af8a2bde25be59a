// attack: a thenable that resolves to itself anew each time
// expect: timeout
// bound: deadline + 500 ms
const again = () => ({ then(f) { f(again()); } });
return await again();
