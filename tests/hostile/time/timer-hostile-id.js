// attack: timers stopped by every kind of value
// expect: value 1
// bound: deadline - 500 ms
for (const id of [0, -1, 1.5, NaN, '1', '__proto__', {}, null, Symbol.iterator, { valueOf() { throw 1; } }, 2 ** 40]) { try { clearTimeout(id); clearInterval(id); } catch { /* its own loss */ } }
return 1;
