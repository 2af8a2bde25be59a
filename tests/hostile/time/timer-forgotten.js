// attack: a timer that nobody awaits does not hold the run
// expect: value 1
// bound: deadline - 500 ms
setTimeout(() => {}, 100000);
setInterval(() => {}, 1);
return 1;
