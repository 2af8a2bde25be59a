// attack: it closes the wrapper so that the source's value is a native function of the right length
// expect: syntax_error | exception
// bound: deadline - 500 ms
};/*aaaaaaaaa*/Map;{
