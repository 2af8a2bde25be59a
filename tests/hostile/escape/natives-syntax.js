// attack: V8's % natives
// expect: syntax_error
// bound: deadline - 500 ms
return %GetOptimizationStatus(() => 1);
