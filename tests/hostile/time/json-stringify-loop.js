// attack: stringify of a large table without end
// expect: timeout
// bound: deadline + 500 ms
const rows = Array.from({ length: 1e5 }, (_, i) => ({ i, s: 'row' + i }));
for (;;) JSON.stringify(rows);
