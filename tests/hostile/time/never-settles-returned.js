// attack: a returned promise that nothing can settle
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
return new Promise(() => {});
