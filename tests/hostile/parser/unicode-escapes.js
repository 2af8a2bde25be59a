// attack: a string of 400,000 unicode escapes
// expect: value 400000
// bound: deadline + 500 ms
return "/*repeat 400000 "\\u{0041}"*/".length;
