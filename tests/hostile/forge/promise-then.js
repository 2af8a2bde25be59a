// attack: Promise.prototype.then is the script's own
// expect: value 1
// bound: deadline - 500 ms
const then = Promise.prototype.then;
Promise.prototype.then = function (f, g) { return then.call(this, () => f('forged'), g); };
return 1;
