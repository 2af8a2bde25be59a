// attack: a call is answered, then nothing is left to wait for
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
await tools.read_file({ path: 'a.txt' });
await new Promise(() => {});
