// attack: a wait on shared memory would stop the thread: there is none
// expect: exception
// bound: deadline - 500 ms
Atomics.wait(new Int32Array(new ArrayBuffer(8)), 0, 0);
