// attack: a URL of a megabyte with a million parameters
// expect: value any | timeout | memory_limit | exception
// bound: deadline + 500 ms
const u = new URL('http://a.example/?' + 'a=b&'.repeat(3e5));
u.searchParams.sort();
return [...u.searchParams].length;
