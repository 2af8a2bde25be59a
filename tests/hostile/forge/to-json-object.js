// attack: Object.prototype.toJSON changes the report of a failure
// expect: exception
// bound: deadline - 500 ms
// message: mine
Object.prototype.toJSON = () => ({ kind: 'timeout' });
throw new Error('mine');
