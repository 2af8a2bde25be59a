// attack: the state is a revoked proxy
// expect: value 1 | exception
// bound: deadline - 500 ms
const { proxy, revoke } = Proxy.revocable({}, {});
state = proxy;
revoke();
return 1;
