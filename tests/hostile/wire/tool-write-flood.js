// attack: writes of megabytes, again and again, up to the limit of calls
// expect: value 49 | exception | timeout
// bound: deadline + 500 ms
let n = 0;
const content = 'x'.repeat(1e6);
for (let i = 0; i < 49; i++) { await tools.write_file({ path: 'flood.txt', content }); n++; }
return n;
