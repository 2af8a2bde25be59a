// attack: a main function that nobody awaits
// expect: value "lost"
// bound: deadline - 500 ms
main();
async function main() { await tools.read_file({ path: 'a.txt' }); return 'lost'; }
