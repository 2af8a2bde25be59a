// attack: objects that claim to be Map, Set, Date, Promise and buffers
// expect: value 11
// bound: deadline - 500 ms
const claims = ['Map', 'Set', 'Date', 'RegExp', 'Promise', 'Number', 'String', 'BigInt', 'ArrayBuffer', 'DataView', 'Uint8Array'].map((t) => { class X { get [Symbol.toStringTag]() { return t; } } return new X(); });
const out = [];
for (const c of claims) { console.log(c); out.push(1); }
return out.length;
