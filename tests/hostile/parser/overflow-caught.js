// attack: a stack overflow that is caught leaves the script sound
// expect: value 1
// bound: deadline + 500 ms
let r = 0;
try { (function g() { g(); })(); } catch { r = 1; }
return r;
