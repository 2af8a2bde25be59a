// attack: a generic method over an array-like of 2**53 - 1 elements
// expect: timeout
// bound: deadline + 500 ms
return Array.prototype.indexOf.call({ length: Number.MAX_SAFE_INTEGER }, 1, 0);
