// attack: nothing can settle this promise
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
await new Promise(() => {});
