// attack: spreading half a gigabyte of letters
// expect: memory_limit | exception
// bound: deadline + 500 ms
return [...'.'.repeat(5e8)].length;
