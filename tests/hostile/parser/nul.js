// attack: a NUL, which ends a C string
// expect: syntax_error
// bound: deadline - 500 ms
// message: NUL
return 1;
/*repeat 1 "\x00"*/
for (;;) {}
