// attack: every object is a thenable
// expect: value "string" | value "object"
// bound: deadline - 500 ms
Object.prototype.then = function (f) { delete Object.prototype.then; f('hijacked'); };
const r = await tools.read_file({ path: 'a.txt' });
return typeof r;
