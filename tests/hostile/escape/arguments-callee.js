// attack: the caller of the script's function
// expect: value "contained"
// bound: deadline - 500 ms
function sloppy() { return [arguments.callee.caller, sloppy.caller]; }
const [a, b] = sloppy();
let f = a ?? b, up = null;
try { up = f && f.caller; } catch { /* contained */ }
return up == null ? 'contained' : String(up);
