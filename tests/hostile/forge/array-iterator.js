// attack: the array iterator is the script's own
// expect: value 1 | exception
// bound: deadline - 500 ms
Array.prototype[Symbol.iterator] = function* () { yield 'forged'; };
try { await tools.nothing({}); } catch { /* its own loss */ }
console.log(new Map([])); 
return 1;
