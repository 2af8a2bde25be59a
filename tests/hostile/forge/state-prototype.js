// attack: prototype keys in the state
// expect: value 1
// bound: deadline - 500 ms
state['__proto__'] = { polluted: 1 };
state.constructor = { prototype: { polluted: 1 } };
return 1;
