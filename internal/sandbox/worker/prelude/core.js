// The prelude runs in a fresh context before the script. It takes every
// primitive it needs while they are still V8's own, so that nothing a script
// overrides can change what crosses to the host. What runs after the script began
// calls no method of a value and iterates over nothing: it uses indexes and what is
// taken here.

const { parse, stringify } = JSON;
const { create, defineProperty, getPrototypeOf, keys: ownKeys } = Object;
const { isArray } = Array;
const { call: functionCall, bind: functionBind } = Function.prototype;
// uncurry(f)(self, ...args) is f.call(self, ...args), whatever becomes of call.
const uncurry = functionBind.bind(functionCall);
const promiseThen = uncurry(Promise.prototype.then);
const promiseAll = Promise.all.bind(Promise);
const promiseReject = Promise.reject.bind(Promise);
const promiseResolve = Promise.resolve.bind(Promise);
const objectToString = uncurry(Object.prototype.toString);
const functionToString = uncurry(Function.prototype.toString);
const join = uncurry(Array.prototype.join);
// push defines its element: a plain assignment would hand the list to a setter
// that the script put on Array.prototype.
const push = (list, v) =>
  defineProperty(list, list.length, { __proto__: null, value: v, writable: true, configurable: true, enumerable: true });
// listHas looks for a text in a list of ours.
const listHas = (list, v) => {
  for (let i = 0; i < list.length; i++) if (list[i] === v) return true;
  return false;
};
// matches reports whether a pattern fits. exec itself looks nothing up on the pattern.
const exec = uncurry(RegExp.prototype.exec);
const matches = (pattern, s) => exec(pattern, s) !== null;
const slice = uncurry(String.prototype.slice);
const endsWith = uncurry(String.prototype.endsWith);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const indexOf = uncurry(String.prototype.indexOf);
const lastIndexOf = uncurry(String.prototype.lastIndexOf);
const has = uncurry(Object.prototype.hasOwnProperty);
const CorePromise = Promise;
const CoreError = Error;
const CoreTypeError = TypeError;
const CoreRangeError = RangeError;
const CoreSyntaxError = SyntaxError;
const CoreString = String;
const CoreProxy = Proxy;
const { min: Math_min, max: Math_max, floor: Math_floor, sqrt: Math_sqrt, round: Math_round } = Math;
const { getOwnPropertySymbols: getOwnSymbols } = Object;
const { apply: reflectApply, get: reflectGet, has: reflectHas } = Reflect;

const hideIn = (object, name, value) =>
  defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
// hide defines a global that a script may replace for itself but does not list.
const hide = (name, value) => hideIn(globalThis, name, value);

// host is the bridge to the worker. The prelude may run long before it has one: it
// must not be called before link.
let host;

// link ends what the worker prepares. V8 puts some names into every new context,
// also into one that is made out of a snapshot without them.
const link = (bridge) => {
  host = bridge;
  for (const name of ['codemode:prelude', 'eval', 'Function', 'WebAssembly', 'SharedArrayBuffer']) delete globalThis[name];
};

const limits = { maxArgs: Infinity, maxResult: Infinity, maxLog: Infinity, maxState: Infinity };
const warnings = [];
const MAX_WARNINGS = 20;
const warn = (text) => {
  if (warnings.length < MAX_WARNINGS) push(warnings, clip(text, 500));
};

// texts is a list of strings as JSON. An array would be asked for the toJSON that
// the script may have put on its prototype; a string is not.
const texts = (list) => {
  let out = '';
  for (let i = 0; i < list.length; i++) out += (i > 0 ? ',' : '') + stringify(list[i]);
  return `[${out}]`;
};

// clip cuts a string, and never within a surrogate pair.
const clip = (s, max) => {
  if (s.length <= max) return s;
  const code = charCodeAt(s, max - 1);
  return slice(s, 0, code >= 0xd800 && code < 0xdc00 ? max - 1 : max) + '...';
};
