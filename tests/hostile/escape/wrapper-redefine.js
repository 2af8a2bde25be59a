// attack: top-level functions that outlive the wrapper
// expect: syntax_error
// bound: deadline - 500 ms
}
function tools() { return 1; }
var console = null;
{
