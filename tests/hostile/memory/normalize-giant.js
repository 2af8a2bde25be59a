// attack: NFKD expands one letter to eighteen
// expect: memory_limit | exception
// bound: deadline + 500 ms
return '\ufdfa'.repeat(1 << 26).normalize('NFKD').length;
