// attack: a loop that begins when the result is out: the answer stands
// expect: value 1
// bound: deadline - 500 ms
let p = Promise.resolve();
for (let i = 0; i < 20; i++) p = p.then(() => {});
p.then(() => { for (;;) {} });
return 1;
