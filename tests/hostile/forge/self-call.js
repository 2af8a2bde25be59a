// attack: a script that runs a script
// expect: value false
// bound: deadline - 500 ms
const kinds = [];
for (const n of ['execute_script', 'workspace.execute_script', 'mcp__codemode__execute_script', 'x__execute_script', ' execute_script', 'EXECUTE_SCRIPT']) {
  try { await cc.callTool(n, { script: 'return 1' }); kinds.push('ran'); } catch { kinds.push('refused'); }
}
return kinds.includes('ran');
