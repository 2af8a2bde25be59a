// attack: calls in flight when the script throws
// expect: exception
// bound: deadline + 500 ms
// message: mine
for (let i = 0; i < 10; i++) tools.read_file({ path: 'a.txt' });
throw new Error('mine');
