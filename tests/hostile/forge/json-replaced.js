// attack: JSON.stringify and JSON.parse are the script's own
// expect: value "hello\n"
// bound: deadline - 500 ms
JSON.stringify = () => '{"path":"../../etc/passwd"}';
JSON.parse = () => ({ forged: true });
const r = await tools.read_file({ path: 'a.txt' });
return r.content;
