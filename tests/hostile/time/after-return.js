// attack: a loop in a callback that runs before the result is out
// expect: timeout
// bound: deadline + 500 ms
Promise.resolve().then(() => { for (;;) {} });
return 1;
