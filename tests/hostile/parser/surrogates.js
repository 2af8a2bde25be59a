// attack: halves of pairs in the source
// expect: value [1,2]
// bound: deadline + 500 ms
return ["\ud800", "\udc00\ud800"].map((x) => x.length);
