// attack: a reviver that makes each value larger
// expect: memory_limit | exception
// bound: deadline + 500 ms
return JSON.parse('[' + '1,'.repeat(1e5) + '1]', (k, v) => (typeof v === 'number' ? new Array(1000).fill(v) : v)).length;
