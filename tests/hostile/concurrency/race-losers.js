// attack: the losers of a race are still in flight
// expect: value "object"
// bound: deadline + 500 ms
const w = await Promise.race([tools.read_file({ path: 'a.txt' }), ...Array.from({ length: 20 }, () => tools.read_file({ path: 'big.txt' }))]);
return typeof w;
