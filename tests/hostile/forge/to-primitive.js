// attack: a value that is another one each time it is asked
// expect: value "hello\n" | exception
// bound: deadline - 500 ms
let n = 0;
const shifty = { [Symbol.toPrimitive]: () => ['../../etc/passwd', 'a.txt'][n++ % 2], toJSON: () => ['a.txt', '../x'][n++ % 2] };
return (await tools.read_file({ path: shifty })).content;
