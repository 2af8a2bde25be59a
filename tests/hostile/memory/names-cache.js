// attack: a new name asked of tools each time: what the lookup leaves in the process
// expect: memory_limit | exception | timeout
// bound: deadline + 500 ms
for (let i = 0; ; i++) tools['name' + i];
