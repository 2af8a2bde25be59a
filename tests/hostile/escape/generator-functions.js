// attack: GeneratorFunction and AsyncGeneratorFunction by their prototypes
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
for (const f of [function* () {}, async function* () {}]) {
  try { got.push(f.constructor('yield globalThis')()); } catch { /* contained */ }
}
return got.length === 0 ? 'contained' : 'made code from a string';
