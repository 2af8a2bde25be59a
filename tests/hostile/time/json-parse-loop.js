// attack: parse of a large text without end
// expect: timeout
// bound: deadline + 500 ms
const text = JSON.stringify(Array.from({ length: 1e5 }, (_, i) => ({ i })));
for (;;) JSON.parse(text);
