// attack: a realm of its own
// expect: value "contained"
// bound: deadline - 500 ms
return typeof ShadowRealm === 'undefined' ? 'contained' : 'there';
