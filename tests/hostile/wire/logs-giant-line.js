// attack: a console line of 400 MB
// expect: value 1 | memory_limit
// bound: deadline + 500 ms
console.log('x'.repeat(4e8));
return 1;
