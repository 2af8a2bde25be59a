// attack: brackets just below the bound on nesting
// expect: value 1
// bound: deadline + 500 ms
const a: any = /*repeat 390 "[["*/1/*repeat 390 "]]"*/;
return a.length;
