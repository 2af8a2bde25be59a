// attack: it looks for the traces of the run before it
// expect: value "contained"
// bound: deadline - 500 ms
return [typeof leak, [].leak === undefined, ({}).leak === undefined, JSON.parse('1'), typeof Map].join() === 'undefined,true,true,1,function' ? 'contained' : 'traces';
