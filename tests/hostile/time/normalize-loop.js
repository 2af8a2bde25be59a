// attack: normalization of combining marks in the wrong order
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const t = 'a' + '\u0315\u0300\u05ae\u0062'.repeat(1e6);
for (let i = 0; ; i++) (t + i).normalize('NFC');
