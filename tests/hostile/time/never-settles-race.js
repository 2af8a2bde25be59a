// attack: a race between promises that nothing can settle
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
await Promise.race([new Promise(() => {}), new Promise(() => {})]);
