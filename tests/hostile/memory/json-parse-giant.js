// attack: JSON.parse of a text that grows fiftyfold
// expect: memory_limit | exception
// bound: deadline + 500 ms
return JSON.parse('[' + '{},'.repeat(5e6) + '0]').length;
