// attack: it leaves traces for the run after it
// expect: value "contained"
// bound: deadline - 500 ms
globalThis.leak = 'secret';
Array.prototype.leak = 1;
Object.prototype.leak = 2;
JSON.parse = () => 'hijacked';
Promise.prototype.then = () => {};
delete globalThis.Map;
return 'contained';
