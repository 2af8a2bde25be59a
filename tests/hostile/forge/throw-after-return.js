// attack: an error after the result is out
// expect: value 1
// bound: deadline - 500 ms
Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => { throw new Error('late'); });
return 1;
