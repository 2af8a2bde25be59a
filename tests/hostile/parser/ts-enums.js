// attack: TypeScript: an enum of 50,000 members, each by the one before
// expect: syntax_error
// bound: deadline + 500 ms
enum E { A = 1, /*repeat 50000 "B = A, "*/ }
return 1;
