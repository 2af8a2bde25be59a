// attack: terminal escapes, NUL and halves of pairs in the logs
// expect: value 1
// bound: deadline + 500 ms
console.log('\x1b[2J\x1b]0;owned\x07', '\0', '\ud800', '\u2028', '\r\n');
return 1;
