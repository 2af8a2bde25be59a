// attack: properties of a tool function are the script's own
// expect: value "hello\n"
// bound: deadline - 500 ms
tools.read_file.raw = () => 'forged';
tools.read_file.call = () => 'forged';
const r = await tools.read_file({ path: 'a.txt' });
return r.content;
