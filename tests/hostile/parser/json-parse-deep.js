// attack: JSON.parse of a million brackets
// expect: value 1
// bound: deadline + 500 ms
return JSON.parse("[".repeat(1e6) + "]".repeat(1e6)).length;
