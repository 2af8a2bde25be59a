// attack: a replacer that starts another search for each match
// expect: timeout
// bound: deadline + 500 ms
const t = 'ab'.repeat(1e5);
const f = () => t.replace(/a/g, () => t.replace(/b/g, 'c').length + '');
return f().length;
