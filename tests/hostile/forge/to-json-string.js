// attack: String.prototype.toJSON and Number.prototype.toJSON
// expect: value {"a":"x","b":1}
// bound: deadline - 500 ms
String.prototype.toJSON = () => 5;
Number.prototype.toJSON = () => 'n';
return { a: 'x', b: 1 };
