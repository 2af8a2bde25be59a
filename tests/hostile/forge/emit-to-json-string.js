// attack: a block whose text is no text once it is written
// expect: value 1 | exception
// bound: deadline - 500 ms
Object.prototype.toJSON = () => undefined;
try { emit({ type: 'text', text: 'x' }); } catch { /* its own loss */ }
return 1;
