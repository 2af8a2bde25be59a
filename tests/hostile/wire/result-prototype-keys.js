// attack: __proto__ and constructor as keys of a result
// expect: value {"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}
// bound: deadline + 500 ms
return JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}');
