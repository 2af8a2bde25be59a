// attack: finish in a toJSON of the result of finish
// expect: value any | exception
// bound: deadline - 500 ms
finish({ toJSON() { finish('inner'); return 'outer'; } });
