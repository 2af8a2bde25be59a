// attack: names of Object.prototype are tools that don't exist
// expect: value false
// bound: deadline - 500 ms
const kinds = [];
for (const k of ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', '__defineGetter__']) {
  try { await tools[k]({}); kinds.push('ran'); } catch (e) { kinds.push(e.name); }
}
return kinds.includes('ran');
