// attack: what the run before left in the state pollutes nothing
// expect: value true
// bound: deadline - 500 ms
loadAll = Object.keys(state);
return ({}).polluted === undefined && [].polluted === undefined;
