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

lazy(['URL', 'URLSearchParams'], () => host('part', 'url'));
lazy(['structuredClone', 'atob', 'btoa'], () => host('part', 'clone'));
lazy(['TextEncoder', 'TextDecoder'], () => host('part', 'encoding'));

// Bytes cross to the worker as strings of one unit a byte.
const MAX_CHUNK = 8192;
const fromCharCode = String.fromCharCode;

const bytesOf = (data, what) => {
  if (isView(data)) return new CoreUint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (objectToString(data) === '[object ArrayBuffer]') return new CoreUint8Array(data);
  throw new CoreTypeError(`${what} must be an ArrayBuffer or a typed array`);
};

const toBinary = (bytes) => {
  let out = '';
  for (let i = 0; i < bytes.length; i += MAX_CHUNK) {
    out += reflectApply(fromCharCode, undefined, bytes.subarray(i, i + MAX_CHUNK));
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
    if (bytes.length > MAX_RANDOM) throw new CoreRangeError(`crypto.getRandomValues: at most ${MAX_RANDOM} bytes at once`);
    fromBinary(host('random', bytes.length), bytes);
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
