// attack: a single buffer of 8 GB
// expect: memory_limit | exception
// bound: deadline + 500 ms
return new Uint8Array(2 ** 33).length;
