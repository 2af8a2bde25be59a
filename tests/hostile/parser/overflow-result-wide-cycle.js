// attack: a result that contains itself by a long way round
// expect: result_not_serializable
// bound: deadline + 500 ms
const a = { list: [] };
for (let i = 0; i < 1000; i++) a.list.push({ i, up: a.list });
return a;
