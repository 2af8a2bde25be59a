// attack: TypeScript: 60,000 octal numbers in a class
// expect: syntax_error
// bound: deadline - 500 ms
class A { x: number = 1; m() { /*repeat 60000 "01; "*/} }
return 1;
