// attack: console levels that don't exist
// expect: value 1
// bound: deadline - 500 ms
for (const k of ['log', 'info', 'warn', 'error', 'debug', 'table', 'trace', 'dir', 'assert', 'group', '__proto__']) { try { console[k]('x'.repeat(10)); } catch { /* not there */ } }
return 1;
