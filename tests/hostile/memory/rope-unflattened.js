// attack: the longest string that V8 knows, as a rope: it costs nothing and must come to nothing
// expect: value 536870888
// bound: deadline + 500 ms
return 'x'.repeat(2 ** 29 - 24).length;
