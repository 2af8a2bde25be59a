// attack: a result that claims to be a Map
// expect: exception | value {}
// bound: deadline - 500 ms
class X { get [Symbol.toStringTag]() { return 'Map'; } }
return new X();
