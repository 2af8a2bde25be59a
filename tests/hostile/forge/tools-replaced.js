// attack: tools is replaced by the script: its own loss
// expect: value "forged"
// bound: deadline - 500 ms
// calls: 0
globalThis.tools = { read_file: () => 'forged' };
return tools.read_file();
