// attack: a toString that prints itself
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const o = {};
o.toString = () => `${o}`;
return `${o}`;
