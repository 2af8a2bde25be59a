// The web's names. Each is made when the script first reads it, out of a part
// that the worker compiles then; a script that names none pays for none.

let loading = false; // a part looks for the names it makes: they are not there yet

const lazy = (names, make) => {
  const setUp = () => {
    if (loading) return {};
    loading = true;
    let made;
    try {
      made = make();
    } finally {
      loading = false;
    }
    for (const name of names) {
      const now = Reflect_getOwnPropertyDescriptor(globalThis, name);
      if (now !== undefined && now.get !== undefined) hide(name, made[name]); // not what the script put there
    }
    return made;
  };
  for (const name of names) {
    defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get: () => setUp()[name],
      set: (value) => hide(name, value),
    });
  }
};

// madeBy puts something around the making of a class's objects.
const madeBy = (Made, around) => {
  const Shown = new CoreProxy(Made, {
    construct: (target, args, newTarget) => around(() => construct(target, args, newTarget === Shown ? target : newTarget), args),
  });
  hideIn(Made.prototype, 'constructor', Shown);
  return Shown;
};

lazy(['URL', 'URLSearchParams'], () => {
  const { URL: Made, URLSearchParams } = host('part', 'url');
  const URL = madeBy(Made, (make, args) => {
    try {
      return make();
    } catch (e) {
      const base = args[1] === undefined ? '' : ` (base ${quote(clip(CoreString(args[1]), 200))})`;
      throw new CoreTypeError(`Invalid URL: ${quote(clip(CoreString(args[0]), 200))}${base}: ${messageOf(e)}`);
    }
  });
  return { URL, URLSearchParams };
});
lazy(['structuredClone', 'atob', 'btoa'], () => host('part', 'clone'));

// These need tables that the part leaves out.
const NO_TABLES = ['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'iso-2022-jp', 'shift_jis'];
lazy(['TextEncoder', 'TextDecoder'], () => {
  const { TextEncoder, TextDecoder: Made } = host('part', 'encoding');
  const TextDecoder = madeBy(Made, (make) => {
    const decoder = make();
    const name = decoder.encoding;
    if (NO_TABLES.indexOf(name) >= 0) throw new CoreRangeError(`TextDecoder: ${name} is not supported; UTF-8, UTF-16 and the single-byte encodings are`);
    return decoder;
  });
  return { TextEncoder, TextDecoder };
});

// Bytes cross to the worker as strings of one unit a byte.
const MAX_CHUNK = 8192;
const fromCharCode = String.fromCharCode;

// The lengths of bytes as V8 has them: a script can put its own getters there.
const getterOf = (object, name) => uncurry(Reflect_getOwnPropertyDescriptor(object, name).get);
const typedProto = getPrototypeOf(CoreUint8Array.prototype);
const typedLength = getterOf(typedProto, 'length');
const viewOf = (proto) => ({ buffer: getterOf(proto, 'buffer'), offset: getterOf(proto, 'byteOffset'), length: getterOf(proto, 'byteLength') });
const typedView = viewOf(typedProto);
const dataView = viewOf(DataView.prototype);
const subarray = uncurry(typedProto.subarray);

const typedTag = getterOf(typedProto, Symbol.toStringTag);
const isTyped = (view) => typedTag(view) !== undefined; // a DataView otherwise

// viewed are the bytes under a view.
const viewed = (view) => {
  const { buffer, offset, length } = isTyped(view) ? typedView : dataView;
  return new CoreUint8Array(buffer(view), offset(view), length(view));
};

const bytesOf = (data, what) => {
  if (isView(data)) return viewed(data);
  if (objectToString(data) === '[object ArrayBuffer]') return new CoreUint8Array(data);
  throw new CoreTypeError(`${what} must be an ArrayBuffer or a typed array`);
};

const toBinary = (bytes) => {
  let out = '';
  const length = typedLength(bytes);
  for (let i = 0; i < length; i += MAX_CHUNK) {
    out += reflectApply(fromCharCode, undefined, subarray(bytes, i, i + MAX_CHUNK));
  }
  return out;
};

const fromBinary = (text, bytes = new CoreUint8Array(text.length)) => {
  for (let i = 0; i < text.length; i++) bytes[i] = charCodeAt(text, i);
  return bytes;
};

const MAX_RANDOM = 65536; // bytes in one call, as browsers have it
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];

lazy(['crypto'], () => {
  const getRandomValues = (array) => {
    const bytes = bytesOf(array, 'crypto.getRandomValues(array): array');
    const length = typedLength(bytes);
    if (length > MAX_RANDOM) throw new CoreRangeError(`crypto.getRandomValues: at most ${MAX_RANDOM} bytes at once`);
    fromBinary(host('random', length), bytes);
    return array;
  };
  const randomUUID = () => {
    const b = fromBinary(host('random', 16));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    let s = '';
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) s += '-';
      s += (b[i] + 0x100).toString(16).slice(1);
    }
    return s;
  };
  const digest = async (algorithm, data) => {
    const name = CoreString(algorithm?.name ?? algorithm).toUpperCase();
    if (HASHES.indexOf(name) < 0) throw new CoreTypeError(`crypto.subtle.digest: ${name} is not known; known: ${join(HASHES, ', ')}`);
    return fromBinary(host('digest', name, toBinary(bytesOf(data, 'crypto.subtle.digest(algorithm, data): data')))).buffer;
  };
  return { crypto: { getRandomValues, randomUUID, subtle: { digest } } };
});
