// attack: fifty calls at once, each with arguments just under the bound: the host holds them all
// expect: value 50 | memory_limit | timeout
// bound: deadline + 500 ms
const content = 'x'.repeat(16 * 1024 * 1024 - 100);
const r = await Promise.allSettled(Array.from({ length: 50 }, () => tools.nothing({ content })));
return r.filter((x) => x.status === 'rejected').length;
