// attack: format strings that ask for more than was given
// expect: value "contained"
// bound: deadline - 500 ms
console.log('%s %d %i %f %j %o %O %c %% %n %p %x' + '%s'.repeat(10000), 1);
console.log('%s', { toString() { return '%s%s%s'; } });
return 'contained';
