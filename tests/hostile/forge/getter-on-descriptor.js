// attack: Object.prototype.get poisons every property descriptor
// expect: value 1 | exception
// bound: deadline - 500 ms
Object.prototype.get = () => 1;
Object.prototype.set = () => {};
try { await tools.nothing({}); } catch { /* its own loss */ }
return 1;
