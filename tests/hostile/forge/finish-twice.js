// attack: a second finish does not replace the first
// expect: value "first"
// bound: deadline - 500 ms
try { finish('first'); } catch { /* it can't be caught */ }
finish('second');
return 'third';
