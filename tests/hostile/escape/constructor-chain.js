// attack: Function through the constructors of every kind of value
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
for (const v of [0, '', true, Symbol(), 1n, [], {}, () => {}, /x/, new Date(), new Map(), Promise, class {}, tools, tools.read_file, console.log]) {
  try { got.push(v.constructor.constructor('return this')()); } catch { /* contained */ }
}
return got.length === 0 ? 'contained' : got.length;
