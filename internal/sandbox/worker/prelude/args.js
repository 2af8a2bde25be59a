// What goes to a tool, as JSON text. It is stricter than a result: what JSON can't
// carry is refused by name, since nothing may vanish on the way to a tool.

const { rawJSON } = JSON;
const CoreDate = Date;
const CoreBigInt = BigInt;

let refusedAt; // why, and where, the value that is written can't be sent

const refuseValue = (holder, key, why) => {
  refusedAt = { holder, key, why };
  throw refusedAt;
};

// argument is the replacer of JSON.stringify: it meets every value once, as the
// value that is sent.
const argument = function (key, v) {
  switch (typeof v) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return v;
    case 'number':
      if (!isFinite(v)) return refuseValue(this, key, `is ${v}, and JSON has no such number`);
      return v < 1e21 && v > -1e21 ? v : rawJSON(CoreString(CoreBigInt(v))); // not 1e+21: it is an integer
    case 'bigint':
      return rawJSON(CoreString(v)); // all its digits
    case 'function':
    case 'symbol':
      return refuseValue(this, key, `is a ${typeof v}, and JSON has none`);
  }
  if (v === null) {
    const d = Reflect_getOwnPropertyDescriptor(this, key);
    return d !== undefined && d.value instanceof CoreDate ? refuseValue(this, key, 'is an invalid date') : null;
  }
  if (isArray(v)) return v;
  const proto = getPrototypeOf(v);
  return proto === objectProto || proto === null ? v : specialArgument(this, key, v);
};

const specialArgument = (holder, key, v) => {
  switch (objectToString(v)) {
    case '[object Promise]':
      return refuseValue(holder, key, 'is a promise: await it');
    case '[object Map]':
      return refuseValue(holder, key, 'is a Map: pass Object.fromEntries(map) or [...map]');
    case '[object Set]': {
      const out = [];
      setEach(v, (value) => push(out, value));
      return out;
    }
    case '[object RegExp]':
      return CoreString(v);
    case '[object Number]':
      return reflectApply(argument, holder, [key, CoreNumber(v)]);
    case '[object BigInt]':
      return rawJSON(CoreString(v));
  }
  if (v instanceof CoreError) return { name: CoreString(v.name), message: CoreString(v.message) };
  const bytes = elements(v);
  if (bytes !== undefined) {
    if (bytes.length > MAX_TYPED) return refuseValue(holder, key, `is a typed array of ${bytes.length} elements, and at most ${MAX_TYPED} are taken`);
    return arrayFrom(bytes);
  }
  const what = unseen(v);
  if (what === '') return v;
  const ask = isIterable(v) ? ': pass [...it]' : ', and JSON has none';
  return refuseValue(holder, key, `is ${what}${what === 'a URLSearchParams' ? ': pass Object.fromEntries(params) or its text' : ask}`);
};

// pathOf finds the way from the arguments to what was refused.
const pathOf = (root, { holder, key }) => {
  const seen = new CoreMap();
  const walk = (v, path, depth) => {
    if (v === holder) return at(path, isArray(v) ? CoreNumber(key) : key);
    if (typeof v !== 'object' || v === null || depth > 50 || mapHas(seen, v)) return undefined;
    mapSet(seen, v, true);
    const names = ownKeys(v);
    for (let i = 0; i < names.length; i++) {
      const d = Reflect_getOwnPropertyDescriptor(v, names[i]); // no getter runs twice
      const found = walk(d.value, at(path, isArray(v) ? CoreNumber(names[i]) : names[i]), depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(root, 'args', 0) ?? (key === '' ? 'args' : `args...${key}`);
};

// whyNot says in words why a value can't be sent.
const whyNot = (args, e) => {
  if (e === refusedAt && e !== undefined) return `${pathOf(args, e)} ${e.why}`;
  return cycle(args, 'args') ?? messageOf(e);
};

// signatureOf shows what a tool takes, as far as the host knows it.
const signatureOf = (name) => {
  try {
    const { signature } = parse(host('search', stringify({ query: `select:${slice(name, 6)}`, limit: 1 })))[0];
    const end = lastIndexOf(signature, '): Promise<');
    if (end > 0 && indexOf(signature, '(args') > 0) return `: ${slice(signature, 0, end + 1)}`;
  } catch { /* it knows none */ }
  return ', such as {name: value}';
};

// argumentText is the JSON of a call's arguments. It throws what the call is
// rejected with.
const argumentText = (name, args) => {
  if (args === undefined) return '{}';
  const bad = () => new CoreTypeError(`${name}: arguments must be an object${signatureOf(name)}`);
  if (typeof args !== 'object' || args === null || isArray(args)) throw bad();
  let text;
  refusedAt = undefined;
  try {
    text = stringify(args, argument);
  } catch (e) {
    let why;
    try { why = whyNot(args, e); } catch { why = messageOf(e); } // a value that answers nothing twice the same
    throw new CoreTypeError(`${name}: the arguments can't be sent as JSON: ${why}`);
  }
  if (typeof text !== 'string' || text[0] !== '{') throw bad();
  if (text.length > limits.maxArgs) {
    throw new CoreRangeError(`${name}: the arguments have ${text.length} characters, at most ${limits.maxArgs} are taken`);
  }
  return text;
};
