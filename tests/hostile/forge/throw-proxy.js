// attack: a thrown proxy whose every trap throws
// expect: exception
// bound: deadline - 500 ms
const h = new Proxy({}, { get() { return () => { throw 2; }; } });
throw new Proxy({}, h);
