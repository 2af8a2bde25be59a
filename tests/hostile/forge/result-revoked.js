// attack: a revoked proxy as the result
// expect: exception
// bound: deadline - 500 ms
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
return { proxy };
