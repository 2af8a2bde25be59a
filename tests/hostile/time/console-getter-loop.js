// attack: a getter that never comes back, met while a line is printed
// expect: timeout
// bound: deadline + 500 ms
console.log(new Proxy({}, { ownKeys() { for (;;) {} } }));
return 1;
