// attack: a returned thenable that never calls back
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
return { then() {} };
