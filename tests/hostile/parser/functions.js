// attack: functions nested 60,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 60000 "function f(){"*//*repeat 60000 "}"*/
