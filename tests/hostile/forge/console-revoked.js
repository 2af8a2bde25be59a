// attack: revoked proxies and hostile objects on the console
// expect: value 1
// bound: deadline - 500 ms
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
console.log(proxy, [proxy], { proxy });
console.log({ get constructor() { throw 1; } }, Object.create({ constructor: { name: 5 } }), { [Symbol.toStringTag]: { length: 3 } });
console.log(Object.create(Error.prototype, { stack: { get() { throw 2; } } }));
return 1;
