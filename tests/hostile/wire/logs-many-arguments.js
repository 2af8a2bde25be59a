// attack: a console line of a hundred thousand arguments
// expect: value 1
// bound: deadline + 500 ms
console.log(...new Array(1e5).fill('abc'));
return 1;
