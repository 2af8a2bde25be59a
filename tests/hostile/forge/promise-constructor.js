// attack: Promise.prototype.constructor is a class that settles what it likes
// expect: value 1 | exception
// bound: deadline - 500 ms
let stolen = [];
Promise.prototype.constructor = class Fake { constructor(executor) { executor((v) => stolen.push(v), (v) => stolen.push(v)); } };
return 1;
