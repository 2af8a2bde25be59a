// attack: a class with its own map for each turn
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) keep.push(class { static x = i; #p = 1; m() { return this.#p; } });
