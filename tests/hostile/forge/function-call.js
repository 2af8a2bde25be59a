// attack: Function.prototype.call, apply and bind are the script's own
// expect: value "hello\n"
// bound: deadline - 500 ms
for (const k of ['call', 'apply', 'bind', 'toString']) (() => {}).__proto__[k] = () => 'forged';
const r = await tools.read_file({ path: 'a.txt' });
return r.content;
