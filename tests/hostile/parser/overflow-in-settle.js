// attack: the stack is nearly full when a call is made
// expect: exception
// bound: deadline + 500 ms
const deep = (n) => { try { return deep(n + 1); } catch { return tools.read_file({ path: 'a.txt' }); } };
await deep(0);
return 2;
