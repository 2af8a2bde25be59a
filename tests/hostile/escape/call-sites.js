// attack: functions and receivers of the frames above, by prepareStackTrace
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
Error.prepareStackTrace = (e, sites) => {
  for (const s of sites) {
    for (const v of [s.getFunction(), s.getThis()]) {
      if (v !== undefined && v !== globalThis && v !== null) got.push(typeof v === 'function' ? (() => {}).toString.call(v) : typeof v);
    }
  }
  return 'stack';
};
const strict = (() => { 'use strict'; return (o) => String(new Error('x').stack); })();
try { tools.read_file({ get path() { strict(); return 'a.txt'; } }); } catch { /* contained */ }
try { console.log({ get x() { strict(); return 1; }, [Symbol.toStringTag]: 'x' }); } catch { /* contained */ }
try { await tools.nothing({}); } catch (e) { String(e.stack); }
const prelude = got.filter((x) => !x.includes('prepareStackTrace') && /host|codemode|Core/.test(x));
return prelude.length === 0 ? 'contained' : prelude;
