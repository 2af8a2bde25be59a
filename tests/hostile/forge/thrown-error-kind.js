// attack: an Error with a kind, a hint and a line
// expect: exception
// bound: deadline - 500 ms
// message: mine
throw Object.assign(new Error('mine'), { kind: 'memory_limit', hint: 'forged', line: 99, name: 'timeout' });
