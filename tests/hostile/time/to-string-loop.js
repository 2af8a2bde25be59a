// attack: a toString that never comes back, met while an error is described
// expect: timeout
// bound: deadline + 500 ms
throw { toString() { for (;;) {} }, toJSON() { for (;;) {} } };
