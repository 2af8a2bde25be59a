// attack: a prepareStackTrace that never comes back, met while a tool error is made
// expect: timeout
// bound: deadline + 500 ms
Error.prepareStackTrace = () => { for (;;) {} };
await tools.read_file({ path: 'missing.txt' });
