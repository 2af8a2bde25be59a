// attack: a revoked proxy of an array, thrown
// expect: exception
// bound: deadline - 500 ms
const { proxy, revoke } = Proxy.revocable([], {});
revoke();
throw proxy;
