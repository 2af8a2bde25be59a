// attack: more timers than may be open
// expect: exception
// bound: deadline - 500 ms
for (;;) setTimeout(() => {}, 1000);
