// attack: a call in a getter of the arguments of a call
// expect: value "hello\n"
// bound: deadline + 500 ms
// calls: 11
let n = 0;
const o = { get path() { if (n++ < 10) tools.read_file(o).catch(() => {}); return 'a.txt'; } };
const r = await tools.read_file(o);
return r.content;
