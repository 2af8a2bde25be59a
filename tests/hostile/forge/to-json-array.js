// attack: Array.prototype.toJSON changes the list of warnings
// expect: value {"n":1}
// bound: deadline - 500 ms
Array.prototype.toJSON = () => 'hijacked';
return { f() {}, n: 1 };
