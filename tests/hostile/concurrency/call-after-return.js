// attack: a call made by what runs after the result is out
// expect: value 1
// bound: deadline + 500 ms
// calls: 0
let p = Promise.resolve();
for (let i = 0; i < 50; i++) p = p.then(() => {});
p.then(() => { for (let i = 0; i < 100; i++) tools.write_file({ path: 'after.txt', content: 'x' }); });
return 1;
