// attack: an asynchronous wait on memory that is not shared
// expect: exception
// bound: deadline - 500 ms
await Atomics.waitAsync(new Int32Array(new ArrayBuffer(8)), 0, 0, 1e9).value;
