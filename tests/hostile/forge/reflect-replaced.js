// attack: Reflect and Proxy are the script's own
// expect: value "hello\n"
// bound: deadline - 500 ms
for (const k of Reflect.ownKeys(Reflect)) if (k !== Symbol.toStringTag) Reflect[k] = () => { throw new Error('forged'); };
globalThis.Proxy = null;
const r = await tools.workspace.read_file({ path: 'a.txt' });
return r.content;
