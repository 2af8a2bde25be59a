// attack: a catastrophic pattern for a tool of the host
// expect: value "object"
// bound: deadline + 500 ms
const r = await tools.grep({ pattern: '^(([a-z0-9])+.)+[A-Z]([a-z0-9])+$' });
return typeof r;
