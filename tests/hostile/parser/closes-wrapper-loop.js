// attack: it closes the function around it and loops while the source is evaluated
// expect: timeout
// bound: deadline + 500 ms
}
for (;;) {}
{
