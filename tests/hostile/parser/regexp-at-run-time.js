// attack: new RegExp of 100,000 groups
// expect: exception
// bound: deadline + 500 ms
return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("");
