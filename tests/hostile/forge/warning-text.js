// attack: a warning whose path is a megabyte long
// expect: value {}
// bound: deadline - 500 ms
return { ['k'.repeat(1e6)]: () => 1 };
