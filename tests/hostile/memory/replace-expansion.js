// attack: a replacement that writes the whole subject for each letter
// expect: memory_limit | exception
// bound: deadline + 500 ms
return 'ab'.repeat(40000).replace(/./g, "$`$'").length;
