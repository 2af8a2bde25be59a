// attack: a promise whose timer is cleared can't settle any more
// expect: exception
// bound: deadline - 500 ms
// message: nothing can settle
await new Promise((r) => { const t = setTimeout(r, 50000); clearTimeout(t); });
