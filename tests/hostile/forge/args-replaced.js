// attack: the input can't be changed for the host
// expect: value "object"
// bound: deadline - 500 ms
// calls: 0
args.path = 'x';
globalThis.args = 1;
return typeof arguments;
