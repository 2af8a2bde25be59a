// attack: Promise.any of nothing, and of failures only
// expect: value ["AggregateError",2]
// bound: deadline + 500 ms
const a = await Promise.any([]).catch((e) => e.name);
const b = await Promise.any([tools.nothing({}), tools.nothing2({})]).catch((e) => e.errors.length);
return [a, b];
