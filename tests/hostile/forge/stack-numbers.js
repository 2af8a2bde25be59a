// attack: a stack with a line and a column beyond any integer
// expect: exception
// bound: deadline - 500 ms
const e = new Error('x');
e.stack = 'Error: x\n    at script.js:1:99999999999999999999\n    at script.js:99999999999999999999:1\n    at script.js:1:9000000000000000000';
throw e;
