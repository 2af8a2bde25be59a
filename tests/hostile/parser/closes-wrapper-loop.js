// attack: it closes the function around it and loops while the source is evaluated
// expect: syntax_error
// bound: deadline - 500 ms
}
for (;;) {}
{
