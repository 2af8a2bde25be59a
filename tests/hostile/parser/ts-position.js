// attack: a TypeScript stack with positions that no source map has
// expect: exception
// bound: deadline - 500 ms
const e: any = new Error('x');
e.stack = 'Error: x\n    at script.js:1:2147483647\n    at script.js:2147483647:1\n    at script.js:0:0';
throw e;
