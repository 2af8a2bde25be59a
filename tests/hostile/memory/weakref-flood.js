// attack: WeakRefs that are kept alive until the job ends
// expect: memory_limit | exception
// bound: deadline + 500 ms
const refs = [];
for (;;) refs.push(new WeakRef({ a: [1, 2, 3] }));
