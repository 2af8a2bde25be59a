// attack: ten thousand timers at a time, each of which starts another
// expect: timeout | exception
// bound: deadline + 500 ms
const again = () => setTimeout(again, 0);
for (let i = 0; i < 9999; i++) again();
await new Promise(() => {});
