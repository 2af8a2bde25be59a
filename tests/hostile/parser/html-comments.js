// attack: HTML comments, which scripts still have
// expect: value 4
// bound: deadline + 500 ms
<!-- /*repeat 1000 "x"*/
--> more
return 4;
