// attack: a toJSON that returns a new object with a toJSON, met while the result is encoded
// expect: result_not_serializable
// bound: deadline + 500 ms
const make = () => ({ toJSON: () => ({ a: make() }) });
return make();
