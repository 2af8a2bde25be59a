// attack: comments that a compiler reads as orders
// expect: value 1
// bound: deadline - 500 ms
/** @jsx alert(1) */
// @ts-nocheck
//# sourceMappingURL=data:application/json;base64,e30=
//# sourceMappingURL=/etc/passwd
/// <reference path="/etc/passwd" />
const x: number = 1;
return x;
