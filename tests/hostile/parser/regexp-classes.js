// attack: nested classes under the v flag
// expect: syntax_error
// bound: deadline + 500 ms
return /x/*repeat 200000 "["*/a/*repeat 200000 "]"*//v.test("a");
