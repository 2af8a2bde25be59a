// attack: a toJSON that never comes back, met while the result is encoded
// expect: timeout
// bound: deadline + 500 ms
return { toJSON() { for (;;) {} } };
