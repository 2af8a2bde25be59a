// attack: an async iterator that never yields
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) return x;
