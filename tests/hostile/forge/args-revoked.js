// attack: a revoked proxy as arguments
// expect: value "TypeError"
// bound: deadline - 500 ms
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
try { await tools.read_file(proxy); } catch (e) { return e.name; }
