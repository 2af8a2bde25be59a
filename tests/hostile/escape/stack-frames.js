// attack: frames of the prelude in a stack that the script can read
// expect: value "contained"
// bound: deadline - 500 ms
let text = '';
try { await tools.nothing({}); } catch (e) { text = e.stack; }
return /prelude|Proxy/.test(text) ? text : 'contained';
