// attack: it resolves before its calls are answered, and goes on
// expect: value "done"
// bound: deadline - 500 ms
tools.write_file({ path: 'late.txt', content: 'x' }).then(() => tools.write_file({ path: 'later.txt', content: 'x' }));
return 'done';
