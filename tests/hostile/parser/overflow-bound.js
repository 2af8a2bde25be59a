// attack: a function bound 200,000 times
// expect: value 1
// bound: deadline + 500 ms
let f = () => 1;
for (let i = 0; i < 2e5; i++) f = f.bind(null);
return f();
