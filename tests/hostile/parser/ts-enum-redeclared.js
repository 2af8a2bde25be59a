// attack: TypeScript: an enum whose 40,000 members have one name
// expect: syntax_error
// bound: deadline - 500 ms
enum E { /*repeat 40000 "a, "*/}
return 1;
