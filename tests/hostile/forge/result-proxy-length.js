// attack: a proxy that says it is an array of 2**32 - 1 elements
// expect: timeout | memory_limit | exception | result_not_serializable
// bound: deadline + 500 ms
return new Proxy([], { get: (t, k) => (k === 'length' ? 2 ** 32 - 1 : undefined) });
