// attack: a call's number can't be chosen: arguments that look like frames
// expect: value ["rejected","fulfilled","fulfilled"]
// bound: deadline - 500 ms
// calls: 3
const r = await Promise.allSettled([tools.read_file({ path: 'a.txt', id: 1 }), cc.callTool('read_file', { path: 'a.txt' }, 1, 'r'), tools.read_file({ path: 'a.txt' }, { id: 99 }, 'r')]);
return r.map((x) => x.status);
