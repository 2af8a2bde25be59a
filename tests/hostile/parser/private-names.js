// attack: 60,000 private names that no class has
// expect: syntax_error
// bound: deadline - 500 ms
class A { #b; m() { /*repeat 60000 "this.#a; "*/} }
return 1;
