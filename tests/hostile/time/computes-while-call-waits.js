// attack: it computes while a call is under way
// expect: timeout
// bound: deadline + 500 ms
// calls: 1
const p = tools.read_file({ path: 'a.txt' });
for (;;) {}
return await p;
