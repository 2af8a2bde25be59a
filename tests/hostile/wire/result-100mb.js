// attack: a result of 100 MB
// expect: result_not_serializable | memory_limit
// bound: deadline + 500 ms
return 'x'.repeat(1e8);
