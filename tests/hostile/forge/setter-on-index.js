// attack: a setter on Array.prototype gets hold of the prelude's lists
// expect: value {"held":true,"result":{}}
// bound: deadline - 500 ms
let held = null;
Object.defineProperty(Array.prototype, 0, { set(v) { held = this; }, configurable: true });
const result = { f() {} };
Promise.resolve().then(() => { if (held) { held.length = 0; } });
console.log([1, { a: 2 }]);
return { held: held === null, result };
