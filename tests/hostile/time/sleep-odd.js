// attack: sleeps of odd lengths end at once
// expect: value 6
// bound: deadline + 500 ms
let n = 0;
for (const ms of [NaN, -1, -Infinity, Infinity, 2 ** 31, 'x']) { await sleep(ms); n++; }
return n;
