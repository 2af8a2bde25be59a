// attack: calls that are not awaited when the script returns
// expect: value "done"
// bound: deadline + 500 ms
for (let i = 0; i < 20; i++) tools.read_file({ path: 'a.txt' });
return 'done';
