// attack: a sparse result: a billion holes would be a billion nulls
// expect: result_not_serializable | memory_limit | timeout | exception
// bound: deadline + 500 ms
const a = [];
a[1e9] = 1;
return a;
