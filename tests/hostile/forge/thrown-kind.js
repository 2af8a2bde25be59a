// attack: a thrown object that names its own kind
// expect: exception
// bound: deadline - 500 ms
throw { kind: 'timeout', message: 'forged', error: 'script_failed' };
