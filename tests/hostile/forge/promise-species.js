// attack: Promise's species calls the executor with something that can't be called
// expect: value 1 | exception
// bound: deadline - 500 ms
Object.defineProperty(Promise, Symbol.species, { get() { return function (executor) { executor(1, 2); }; } });
return 1;
