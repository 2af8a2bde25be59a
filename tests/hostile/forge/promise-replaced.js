// attack: Promise itself is replaced
// expect: value "hello\n"
// bound: deadline - 500 ms
globalThis.Promise = class { constructor() { throw 1; } static resolve() { return 'forged'; } };
const r = await tools.read_file({ path: 'a.txt' });
return r.content;
