// attack: import with attributes and a hostile specifier
// expect: value "contained"
// bound: deadline - 500 ms
try { await import({ toString() { return 'fs'; } }, { with: { type: 'json' } }); return 'imported'; } catch { return 'contained'; }
