// attack: AsyncFunction by its prototype
// expect: value "contained"
// bound: deadline - 500 ms
try { return typeof (await (async () => {}).constructor('return globalThis')()); } catch (e) { return e instanceof EvalError ? 'contained' : String(e); }
