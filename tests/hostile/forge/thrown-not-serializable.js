// attack: Error[Symbol.hasInstance] says that everything is an instance of everything
// expect: exception
// bound: deadline - 500 ms
Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });
throw { message: 5, kind: 'result_not_serializable' };
