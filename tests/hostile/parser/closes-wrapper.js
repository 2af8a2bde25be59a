// attack: it closes the function around it and goes on outside
// expect: syntax_error
// bound: deadline - 500 ms
}
for (const k of ["a"]) globalThis.k = k;
{
