// attack: template literals nested 200,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 200000 "`${"*/1/*repeat 200000 "}`"*/;
