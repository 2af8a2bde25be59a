// What leaves the script: its result as JSON, or what it threw in words.

const MAX_DEPTH = 500;
const MAX_TYPED = 100000; // elements of a typed array that a result may hold
const objectProto = Object.prototype;
const arrayProto = Array.prototype;
const isView = ArrayBuffer.isView;
const arrayFrom = Array.from;
const mapEach = uncurry(Map.prototype.forEach);
const setEach = uncurry(Set.prototype.forEach);
const isFinite = Number.isFinite;
const isSafe = Number.isSafeInteger;
const CoreNumber = Number;
const CoreUint8Array = Uint8Array;
const CoreMap = Map;
const mapHas = uncurry(Map.prototype.has);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const mapDelete = uncurry(Map.prototype.delete);
const mapSize = uncurry(Object.getOwnPropertyDescriptor(Map.prototype, 'size').get);
const toISO = uncurry(Date.prototype.toISOString);

// NotSerializable is no Error: to make one must not run the script's
// prepareStackTrace, and nothing but this class can pass for one.
class NotSerializable {
  #why;
  constructor(why) { this.#why = why; }
  // why gives the reason out of whatever was thrown, or undefined.
  static why(e) { return typeof e === 'object' && e !== null && #why in e ? e.#why : undefined; }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const at = (path, key) => {
  if (typeof key === 'number') return `${path}[${key}]`;
  return matches(IDENTIFIER, key) ? `${path}.${key}` : `${path}[${stringify(clip(key, 60))}]`;
};

// normal turns a value into what JSON.stringify writes as we promise. It copies
// only what has to change: a plain value comes back as it is.
const normal = (v, path, depth) => {
  switch (typeof v) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return v;
    case 'number':
      if (isFinite(v)) return v;
      warn(`${path()} is ${v}: JSON has no such number, null was returned`);
      return null;
    case 'bigint': {
      const n = CoreNumber(v);
      return isSafe(n) ? n : CoreString(v);
    }
    case 'function':
    case 'symbol':
      warn(`${path()} is a ${typeof v}: it was dropped`);
      return undefined;
  }
  if (v === null) return null;
  if (depth > MAX_DEPTH) throw new NotSerializable('deep');
  if (isArray(v)) return normalArray(v, path, depth);
  const proto = getPrototypeOf(v);
  if (proto === objectProto || proto === null) {
    return typeof v.toJSON === 'function' ? normal(v.toJSON(''), path, depth + 1) : normalObject(v, path, depth);
  }
  return normalSpecial(v, path, depth);
};

const normalArray = (v, path, depth) => {
  let out = v;
  const length = v.length;
  for (let i = 0; i < length; i++) {
    const old = v[i];
    if (typeof old === 'string') continue;
    const now = normal(old, () => at(path(), i), depth + 1);
    if (now !== old) {
      if (out === v) out = copyArray(v, length);
      defineProperty(out, i, { __proto__: null, value: now, writable: true, configurable: true, enumerable: true });
    }
  }
  return out;
};

const copyArray = (v, length) => {
  const out = [];
  for (let i = 0; i < length; i++) {
    defineProperty(out, i, { __proto__: null, value: v[i], writable: true, configurable: true, enumerable: true });
  }
  return out;
};

const normalObject = (v, path, depth) => {
  let out = v;
  const names = ownKeys(v);
  for (let i = 0; i < names.length; i++) {
    const key = names[i];
    const old = v[key];
    if (typeof old === 'string') continue;
    const now = normal(old, () => at(path(), key), depth + 1);
    if (now !== old) {
      if (out === v) {
        out = create(null);
        for (let j = 0; j < names.length; j++) out[names[j]] = v[names[j]];
      }
      out[key] = now;
    }
  }
  return out;
};

const normalSpecial = (v, path, depth) => {
  const tag = objectToString(v);
  if (tag === '[object Promise]') {
    warn(`${path()} is a promise that was not awaited: null was returned`);
    return null;
  }
  if (typeof v.toJSON === 'function') {
    if (tag === '[object Date]' && !isFinite(+v)) {
      warn(`${path()} is an invalid date: null was returned`);
      return null;
    }
    return normal(v.toJSON(''), path, depth + 1);
  }
  switch (tag) {
    case '[object Map]': {
      const out = [];
      mapEach(v, (value, key) => push(out, [key, value]));
      return normalArray(out, path, depth);
    }
    case '[object Set]': {
      const out = [];
      setEach(v, (value) => push(out, value));
      return normalArray(out, path, depth);
    }
    case '[object RegExp]':
      return CoreString(v);
    case '[object Number]':
    case '[object String]':
    case '[object Boolean]':
    case '[object BigInt]':
      return normal(v.valueOf(), path, depth + 1);
  }
  if (v instanceof CoreError) {
    const out = { name: CoreString(v.name), message: CoreString(v.message) };
    if (isArray(v.errors)) out.errors = normal(v.errors, () => at(path(), 'errors'), depth + 1);
    if (v.cause !== undefined) out.cause = normal(v.cause, () => at(path(), 'cause'), depth + 1);
    return out;
  }
  const list = elements(v);
  if (list !== undefined) {
    if (list.length > MAX_TYPED) {
      throw new NotSerializable(`${path()} is a typed array of ${list.length} elements: at most ${MAX_TYPED} can be returned`);
    }
    return normalArray(arrayFrom(list), path, depth);
  }
  const what = unseen(v);
  if (what === '') return normalObject(v, path, depth);
  if (isIterable(v)) return normalArray(walked(v, path), path, depth);
  warn(`${path()} is ${what}: JSON has none, so it was left empty`);
  return {};
};

// elements gives what a typed array, a DataView or an ArrayBuffer holds as a list, and
// nothing for all else.
const elements = (v) => {
  if (!isView(v)) return objectToString(v) === '[object ArrayBuffer]' ? new CoreUint8Array(v) : undefined;
  return isTyped(v) ? v : viewed(v);
};

// unseen names an object of which JSON would show nothing at all, though it holds
// something: what the language made, without a property of its own.
const unseen = (v) => {
  const name = slice(objectToString(v), 8, -1);
  if (name === 'Object' || name === 'String' || name === 'Boolean' || name === 'Arguments' || ownKeys(v).length > 0) return '';
  return `${matches(/^[AEIO]/, name) ? 'an' : 'a'} ${name}`;
};
const isIterable = (v) => typeof v[Symbol_iterator] === 'function';

// walked is the list of what an iterator gives, up to a bound.
const walked = (v, path) => {
  const out = [];
  for (const value of v) {
    if (out.length >= MAX_TYPED) {
      warn(`${path()} gives more than ${MAX_TYPED} values: the first ones were returned`);
      break;
    }
    push(out, value);
  }
  return out;
};

// cycle names the path on which a value contains itself, or nothing.
const cycle = (v, root = 'result') => {
  const above = new CoreMap();
  const walk = (v, path) => {
    if (typeof v !== 'object' || v === null) return undefined;
    if (mapHas(above, v)) return `${path} is ${mapGet(above, v)} again, and JSON has no cycles`;
    if (mapSize(above) > MAX_DEPTH) return undefined;
    mapSet(above, v, path);
    const names = ownKeys(v);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      const found = walk(v[key], at(path, isArray(v) ? CoreNumber(key) : key));
      if (found) return found;
    }
    mapDelete(above, v);
    return undefined;
  };
  return walk(v, root);
};

// encode gives the result as JSON text, or throws NotSerializable.
const encode = (value) => {
  let text;
  try {
    text = stringify(normal(value, () => 'result', 0));
  } catch (e) {
    if (NotSerializable.why(e) !== 'deep') throw e;
    throw new NotSerializable(cycle(value) ?? `the result nests deeper than ${MAX_DEPTH} levels`);
  }
  if (text === undefined) text = 'null';
  if (text.length > limits.maxResult) {
    throw new NotSerializable(
      `the result has ${text.length} characters of JSON, at most ${limits.maxResult} can be returned: return less, such as counts or the rows you need`,
    );
  }
  return text;
};

// messageOf and describe never throw, whatever was thrown.
const messageOf = (e) => {
  try {
    const message = typeof e === 'object' && e !== null ? e.message : undefined; // read once: a getter may change its mind
    return typeof message === 'string' ? message : CoreString(e);
  } catch {
    return 'an unprintable value';
  }
};

// UNDEFINED is how V8 says that something is not what the script takes it for.
const UNDEFINED = /^Cannot (read|set|destructure|convert)|is not (a function|iterable|async iterable|a constructor|defined in)|is undefined|\[object Promise\]|is not valid JSON/;

// hinted fills in what to do about an error, and its kind where the host refused a
// call. It gives the message without what is in the hint.
const hinted = (e, message, out) => {
  try {
    if (e instanceof ToolError) {
      if (e.kind === 'forbidden' || e.kind === 'tool_call_limit') out.refused = e.kind;
      const hint = e.hint;
      if (typeof hint === 'string' && hint !== '') {
        out.hint = hint;
        if (endsWith(message, ` (${hint})`)) return slice(message, 0, message.length - hint.length - 3);
      }
    } else if ((e instanceof CoreTypeError || e instanceof CoreSyntaxError) && matches(UNDEFINED, message)) {
      out.hint = missed.length > 0 ? missed[missed.length - 1] : lastShape();
    }
  } catch { /* an error that answers nothing has no hint */ }
  return message;
};

const PLACE = /^\s+at .*?(script\.js:\d+:\d+)\)?$/m;
// threw says what was thrown, and where in the script.
const threw = (e) => {
  const { message, stack } = describe(e);
  const place = exec(PLACE, stack);
  return place === null ? message : `${message} (at ${place[1]})`;
};

const MAX_MESSAGE = 4000;
const MAX_CAUSES = 5;

const describe = (e, depth = 0) => {
  const out = { kind: 'exception', message: '', stack: '', hint: '', refused: '' };
  try {
    if (e instanceof CoreError) {
      let name = 'Error';
      try { name = CoreString(e.name) || 'Error'; } catch { /* a getter that throws */ }
      let message = '';
      try { message = CoreString(e.message); } catch { message = '(its message could not be read)'; }
      if (depth === 0) message = hinted(e, message, out);
      out.message = clip(message === '' ? name : `${name}: ${message}`, MAX_MESSAGE);
      try {
        let stack = e.stack; // read once: a getter may change its mind
        if (typeof stack === 'string') {
          const said = message === '' ? -1 : indexOf(stack, message); // words of the message are no frames
          if (said >= 0) stack = slice(stack, said + message.length);
          out.stack = clip(stack, 8000);
        }
      } catch { /* same */ }
      try {
        if (isArray(e.errors) && depth < MAX_CAUSES) {
          const inner = [];
          for (let i = 0; i < e.errors.length && i < MAX_CAUSES; i++) push(inner, describe(e.errors[i], MAX_CAUSES).message);
          out.message = clip(`${out.message} [errors: ${join(inner, '; ')}]`, MAX_MESSAGE);
        }
        if (e.cause !== undefined && depth < MAX_CAUSES) {
          out.message = clip(`${out.message} [cause: ${describe(e.cause, depth + 1).message}]`, MAX_MESSAGE);
        }
      } catch { /* same */ }
      return out;
    }
    if (e === null || e === undefined) {
      out.message = `the script threw ${e}, not an Error`;
      return out;
    }
    let shown;
    if (typeof e === 'object') {
      try { shown = stringify(e); } catch { /* inspect it */ }
      if (shown === undefined || shown === '{}') shown = inspect(e);
    } else {
      shown = typeof e === 'string' ? stringify(e) : CoreString(e);
    }
    out.message = clip(`the script threw ${typeof e === 'object' ? 'an' : 'a'} ${typeof e}, not an Error: ${shown}`, MAX_MESSAGE);
  } catch {
    out.message = 'the script threw a value that cannot be printed';
  }
  return out;
};
