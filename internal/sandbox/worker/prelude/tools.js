// Tool calls. Each call gets a number; the host answers it through settle, in
// any order. Arguments and results cross as JSON text.

const pending = create(null);
let lastCall = 0;
let spent = false; // the script has heard that the limit of calls is reached
const captureStackTrace = Error.captureStackTrace;

// framesOf are the frames of where a call stood, without their head.
const framesOf = (site) => {
  try {
    const stack = CoreString(site.stack); // the script may have a prepareStackTrace of its own
    const from = indexOf(stack, '\n');
    return from < 0 ? '' : slice(stack, from);
  } catch {
    return '';
  }
};

const ERROR_KEYS = ['tool', 'server', 'kind', 'hint', 'code', 'data', 'content'];

class ToolError extends Error {
  constructor(info, site) {
    super(info.message);
    defineProperty(this, 'stack', {
      __proto__: null,
      value: `ToolError: ${info.message}${site === undefined ? '' : framesOf(site)}`,
      writable: true,
      configurable: true,
    });
    for (let i = 0; i < ERROR_KEYS.length; i++) {
      const key = ERROR_KEYS[i];
      if (has(info, key)) {
        defineProperty(this, key, { __proto__: null, value: info[key], writable: true, configurable: true, enumerable: true });
      }
    }
  }
}
defineProperty(ToolError.prototype, 'name', { __proto__: null, value: 'ToolError', writable: true, configurable: true });

// call calls a tool for the function that the script called.
const call = (path, args, mode, caller) => {
  let text;
  watching = false; // JSON.stringify reads toJSON
  try {
    text = argumentText(`tools.${path}`, args);
  } catch (e) {
    return promiseReject(e);
  } finally {
    watching = true;
  }
  if (spent) host('spent'); // the script knows of the limit, and the host ends the run
  const site = {}; // where the script stands now: an answer has no frame of it
  captureStackTrace(site, caller);
  return toolPromise(`tools.${path}`, (resolve, reject) => {
    const id = ++lastCall;
    host('call', id, mode, path, text); // it may refuse what its length in bytes makes too large
    pending[id] = { resolve, reject, site, path };
  });
};

// What the last tool gave, for the hints of errors: most wrong names are names in
// a result. It is held weakly, so that it costs no memory.
let lastPath = '';
let lastValue;
const CoreWeakRef = WeakRef;
const deref = uncurry(WeakRef.prototype.deref);

const remember = (path, value) => {
  lastPath = path;
  lastValue = typeof value === 'object' && value !== null ? new CoreWeakRef(value) : value === null ? 'null' : `a ${typeof value}`;
};

const MAX_SHAPE = 12; // names that a shape lists

// shape says in short what a value looks like: its names, not its values.
const shape = (v, depth) => {
  if (typeof v !== 'object' || v === null) return v === null ? 'null' : typeof v;
  if (isArray(v)) return v.length === 0 ? '[]' : depth > 2 ? '[...]' : `[${shape(v[0], depth + 1)}, ...]`;
  if (depth > 2) return '{...}';
  const names = ownKeys(v);
  const parts = [];
  for (let i = 0; i < names.length && i < MAX_SHAPE; i++) {
    const inner = v[names[i]];
    push(parts, typeof inner === 'object' && inner !== null ? `${clip(names[i], 40)}: ${shape(inner, depth + 1)}` : clip(names[i], 40));
  }
  if (names.length > MAX_SHAPE) push(parts, `and ${names.length - MAX_SHAPE} more`);
  return `{${join(parts, ', ')}}`;
};

// lastShape tells of the last result, or nothing.
const lastShape = () => {
  if (lastPath === '') return '';
  try {
    const value = typeof lastValue === 'string' ? lastValue : deref(lastValue);
    if (value === undefined) return '';
    return clip(`the last result, of ${lastPath}, is ${typeof value === 'string' ? value : shape(value, 0)}`, 400);
  } catch {
    return ''; // the script made it a value that answers nothing
  }
};

// settle is called by the worker with the host's answer.
const settle = (id, ok, text) => {
  const waiting = pending[id];
  if (waiting === undefined) return;
  delete pending[id];
  let value;
  try {
    value = parse(text);
  } catch (e) {
    waiting.reject(e);
    return;
  }
  if (ok) {
    remember(waiting.path, value);
    waiting.resolve(value);
  } else {
    if (value.kind === 'tool_call_limit') spent = true;
    let error;
    try {
      error = new ToolError(value, waiting.site);
    } catch (e) {
      error = e; // the script has changed what errors are made of
    }
    waiting.reject(error);
  }
};

const makeTool = (path, name) => {
  // An arrow function: calling it with "new" is a TypeError, as it should be.
  const tool = (args) => call(path, args, 'v', tool);
  defineProperty(tool, 'name', { __proto__: null, value: name, configurable: true });
  const raw = (args) => call(path, args, 'r', raw);
  defineProperty(raw, 'name', { __proto__: null, value: 'raw', configurable: true });
  defineProperty(tool, 'raw', { __proto__: null, value: raw, configurable: true });
  return tool;
};

const MAX_PATH = 300;

// A name nobody knows is still callable: the host's answer says what is near.
// It is not there for "in" and Object.keys, and never looks like a promise.
const makeUnknown = (path, name, depth) =>
  new CoreProxy(makeTool(path, name), {
    get(target, key) {
      if (typeof key === 'symbol' || reflectHas(target, key) || key === 'then' || depth > 3) {
        return reflectGet(target, key);
      }
      return makeUnknown(clip(`${path}.${key}`, MAX_PATH), key, depth + 1);
    },
  });

// thenTool is a tool of the name "then". Await asks for such a method, and calls it
// with two functions: it then gets the owner without it.
const thenTool = (tool, owner) => new CoreProxy(tool, {
  apply: (target, _, args) =>
    typeof args[0] === 'function' && typeof args[1] === 'function'
      ? args[0](new CoreProxy(owner, { get: (object, key) => (key === 'then' ? undefined : reflectGet(object, key)) }))
      : reflectApply(target, undefined, args),
});

// members gives an object whose properties are looked up when they are used, so
// that three thousand tools cost a script nothing.
const members = (target, prefix) => {
  const cache = create(null);
  let self;
  const find = (key) => {
    if (key in cache) return cache[key];
    const path = prefix + key;
    let value;
    switch (path.length > MAX_PATH ? '' : host('kind', path)) {
      case 'tool':
        value = key === 'then' ? thenTool(makeTool(path, key), self) : makeTool(path, key);
        break;
      case 'namespace':
        value = members(create(null), path + '.');
        break;
      case 'alias':
        value = tools;
        break;
      case 'both':
        value = members(makeTool(path, key), path + '.');
        break;
    }
    cache[key] = value;
    return value;
  };
  self = new CoreProxy(target, {
    get(target, key) {
      if (typeof key === 'symbol') return reflectGet(target, key);
      const found = find(key);
      if (found !== undefined) return found;
      if (reflectHas(target, key) || key === 'then' || key === 'toJSON') return reflectGet(target, key);
      if (prefix === '' && beside[key] !== undefined) return beside[key]; // no tool of that name
      return makeUnknown(clip(prefix + key, MAX_PATH), key, 1);
    },
    has: (target, key) => (typeof key === 'string' && find(key) !== undefined) || reflectHas(target, key),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
    ownKeys: (target) => {
      const names = parse(host('names', prefix));
      const own = Reflect_ownKeys(target);
      for (let i = 0; i < own.length; i++) if (!listHas(names, own[i])) push(names, own[i]);
      return names;
    },
    getOwnPropertyDescriptor(target, key) {
      const found = typeof key === 'string' ? find(key) : undefined;
      if (found === undefined) return Reflect_getOwnPropertyDescriptor(target, key);
      return { value: found, enumerable: true, configurable: true, writable: true };
    },
  });
  return self;
};
const Reflect_ownKeys = Reflect.ownKeys;
const Reflect_getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;

const byName = (name, args, caller) => {
  if (typeof name === 'object' && name !== null && typeof name.name === 'string') return byName(name.name, args ?? name.arguments, caller); // as MCP clients have it
  if (typeof name !== 'string' || name === '') {
    return promiseReject(new CoreTypeError('callTool(name, args): name must be the name of a tool, such as "workspace.read_file"'));
  }
  return call(clip(name, MAX_PATH), args, 'v', caller);
};

const callTool = (name, args) => byName(name, args, callTool);

// mcpCall takes callTool(server, tool, args), and callTool(name, args) as others have it.
const mcpCall = (server, tool, args) =>
  typeof tool === 'string' ? byName(`${server}.${tool}`, args, mcpCall) : byName(server, tool, mcpCall);
for (const fn of [callTool, mcpCall]) defineProperty(fn, 'name', { __proto__: null, value: 'callTool', configurable: true });

const tools = members(create(null), '');
hide('tools', tools);
hide('codemode', tools);
hide('callTool', callTool);
// Under the names of other gateways stand the tools, too.
const gateway = (own) => new CoreProxy(own, {
  get: (target, key) => (typeof key === 'symbol' || has(target, key) ? reflectGet(target, key) : tools[key]),
});
hide('cc', gateway({ callTool, tools }));
hide('mcg', gateway({ callTool, tools }));
hide('mcp', gateway({ callTool: mcpCall, tools }));
hide('ToolError', ToolError);
