// attack: parts that don't exist, asked for through polluted names
// expect: value "contained"
// bound: deadline - 500 ms
Object.prototype.toString = () => '../../etc/passwd';
try { structuredClone({ a: 1 }); new URL('http://a'); } catch { /* its own loss */ }
return 'contained';
