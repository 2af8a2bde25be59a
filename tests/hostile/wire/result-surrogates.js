// attack: halves of pairs in a result
// expect: value ["�","�",{"�":1}]
// bound: deadline + 500 ms
return ['\ud800', '\udc00', { '\ud800': 1 }];
