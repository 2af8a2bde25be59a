// The promise of a tool call. It is one like any other, but it notices when
// something of the result is read from it: the await was forgotten.

const MAX_MISSED = 3;
const missed = []; // what was read too early, in words
let watching = true;

const missing = (path, key) => {
  if (!watching || missed.length >= MAX_MISSED) return;
  const what =
    typeof key === 'string' ? `.${key} was read from it`
    : key === Symbol_toPrimitive ? 'it was used as a text'
    : key === Symbol_iterator || key === Symbol_asyncIterator ? 'it was iterated'
    : '';
  if (what === '') return;
  const text = `${path}(...) gives a promise, and ${what} without await: write (await ${path}(...))`;
  if (!listHas(missed, text)) {
    push(missed, text);
    warn(text);
  }
};
const { toPrimitive: Symbol_toPrimitive, iterator: Symbol_iterator, asyncIterator: Symbol_asyncIterator } = Symbol;

const paths = new WeakMap(); // the tool's path, by promise
const pathFor = uncurry(WeakMap.prototype.get);
const keepPath = uncurry(WeakMap.prototype.set);

// Behind the promise's own prototype stands one that is asked only for what no
// promise has.
const awaited = create(Promise.prototype);
const toolPromisePrototype = create(new CoreProxy(awaited, {
  get(target, key, receiver) {
    if (!reflectHas(target, key)) {
      const path = pathFor(paths, receiver);
      if (path !== undefined) missing(path, key);
    }
    return reflectGet(target, key, receiver);
  },
}));
for (const key of ['constructor', 'then', 'catch', 'finally']) {
  defineProperty(toolPromisePrototype, key, { __proto__: null, value: Promise.prototype[key], writable: true, configurable: true });
}
const ToolPromise = function () {};
ToolPromise.prototype = toolPromisePrototype;
const { construct } = Reflect;

const toolPromise = (path, executor) => {
  const promise = construct(CorePromise, [executor], ToolPromise);
  keepPath(paths, promise, path);
  return promise;
};
