// attack: symbols, null prototypes and objects that can't be printed
// expect: exception
// bound: deadline - 500 ms
throw Object.create(null, { toJSON: { value() { throw Symbol('s'); } }, [Symbol.toPrimitive]: { value() { throw 1; } } });
