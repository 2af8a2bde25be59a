// attack: a glob of a thousand stars for a tool of the host
// expect: value "answered"
// bound: deadline + 500 ms
try { await tools.glob({ pattern: '**/'.repeat(2000) + '*'.repeat(2000) + 'x' }); return 'answered'; } catch { return 'answered'; }
