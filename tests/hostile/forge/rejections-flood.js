// attack: a hundred thousand rejections that nobody handles
// expect: value 1
// bound: deadline + 500 ms
for (let i = 0; i < 1e5; i++) Promise.reject(new Error('nobody ' + i));
return 1;
