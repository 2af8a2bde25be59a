// start runs the script: an async function that the worker compiled.

const done = (status, text) => {
  try {
    flushLogs();
  } catch { /* the end must come, with or without the last lines */ }
  const changes = stateChanges(); // it may warn
  host('done', status, text, texts(warnings), changes);
};

class ResultError extends Error {}
defineProperty(ResultError.prototype, 'name', { __proto__: null, value: 'ResultError', writable: true, configurable: true });

// finish ends the run: when the host takes the result, V8 stops here.
named('finish', (result) => {
  let text;
  try {
    text = encode(result);
  } catch (e) {
    const why = NotSerializable.why(e);
    if (why !== undefined) throw new CoreTypeError(`finish: ${why}`);
    throw e;
  }
  flushLogs(); // a result that is taken ends the script here
  const violations = parse(host('finish', text, texts(warnings), stateChanges()) || '[]');
  const error = new ResultError(`the result does not fit resultSchema: ${join(violations, '; ')}`);
  defineProperty(error, 'violations', { __proto__: null, value: violations, enumerable: true });
  throw error;
});

const failure = ({ kind, message, stack, hint, refused }) =>
  `{"kind":${stringify(kind)},"message":${stringify(message)},"stack":${stringify(stack)},"hint":${stringify(hint)},"refused":${stringify(refused)}}`;

const fail = (e) => {
  const why = NotSerializable.why(e);
  done('err', failure(why === undefined ? describe(e) : { kind: 'result_not_serializable', message: why, stack: '', hint: '', refused: '' }));
};

const MAX_NAMED = 5;

// leftOpen warns of the calls whose answers the script did not wait for.
const leftOpen = () => {
  const open = [];
  for (const id in pending) push(open, pending[id].path);
  if (open.length === 0) return;
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
  open.length = Math_min(open.length, MAX_NAMED);
  warn(`the run ended while tool calls were in flight, and they were cancelled: ${join(open, ', ')}${more} (await every call)`);
};

// nothing warns of a result that may not be what the script means: after calls of
// tools, what is undefined is most often a name that a result has not.
const nothing = (value) => {
  if (emitted || missed.length > 0) return;
  if (lastPath === '') {
    if (value === undefined) warn('the result is undefined, so null was returned: end the script with return and the value (what a then or a callback gets is not the result)');
    return;
  }
  if (value === undefined) {
    const shape = lastShape();
    warn(`the result is undefined, so null was returned: return a value, or look for a wrong name${shape === '' ? '' : ` (${shape})`}`);
  } else if (typeof value === 'object' && value !== null && getPrototypeOf(value) === objectProto) {
    const names = ownKeys(value);
    for (let i = 0; i < names.length; i++) {
      const d = Reflect_getOwnPropertyDescriptor(value, names[i]);
      if (d !== undefined && d.value === undefined && d.get === undefined) {
        const shape = lastShape();
        warn(`${at('result', names[i])} is undefined, so it was left out: look for a wrong name${shape === '' ? '' : ` (${shape})`}`);
      }
    }
  }
};

const succeed = (value) => {
  try {
    if (value === undefined && note !== '' && !emitted) warn(note);
    else nothing(value);
    const text = encode(value);
    leftOpen();
    done('ok', text);
  } catch (e) {
    fail(e);
  }
};

// note is a warning for a script that gives no result.
let note = '';

// prepare takes what the worker knows of the script before it runs. It refuses a
// function that is not the whole wrapper: a script that closes it early and goes
// on outside makes a value that is something else.
let calls = false; // a result that is a function is the script itself
let input;
const prepare = (fn, source, meta, args, form, remark) => {
  if (typeof fn !== 'function' || functionToString(fn).length !== source) return false;
  const { maxArgs, maxResult, maxLog, maxState } = parse(meta);
  limits.maxArgs = maxArgs;
  limits.maxState = maxState;
  limits.maxResult = maxResult;
  limits.maxLog = maxLog;
  input = parse(args);
  hide('args', input);
  hide('arguments', input);
  note = remark;
  calls = form === 'call';
  return true;
};

// MAIN are the names of a function that a module means to be its start.
const MAIN = ['default', 'main', 'run', 'execute', 'handler'];

// mainOf is the function that an object of functions only means to be called, such
// as what module.exports was set to.
const mainOf = (value) => {
  if (typeof value !== 'object' || value === null || getPrototypeOf(value) !== objectProto) return undefined;
  let main;
  const names = ownKeys(value);
  for (let i = 0; i < names.length; i++) {
    const d = Reflect_getOwnPropertyDescriptor(value, names[i]);
    if (d === undefined || typeof d.value !== 'function') return undefined;
    if (listHas(MAIN, names[i])) main ??= d.value;
  }
  return main;
};

// takesTools reports whether a function that is the script wants the tools as its
// first parameter.
const TAKES_TOOLS = /^(?:async\b\s*)?(?:function\b\s*[\w$]*\s*)?\(?\s*(?:tools|codemode|mcp)\s*[,)=]/;
const takesTools = (fn) => matches(TAKES_TOOLS, functionToString(fn));

const SURFACE = ['tools', 'codemode', 'args', 'input', 'console', 'mcp', 'callTool', 'finish', 'emit'];

// withSurface is the input for a function that is the script: what it takes apart as
// ({tools, args}) is there too, behind the input's own names.
const withSurface = () => {
  const behind = { __proto__: objectProto };
  for (let i = 0; i < SURFACE.length; i++) {
    const name = SURFACE[i];
    hideIn(behind, name, name === 'input' ? input : globalThis[name]);
  }
  defineProperty(behind, 'state', { __proto__: null, get: loadState, configurable: true, enumerable: false });
  const out = create(behind);
  const names = ownKeys(input);
  for (let i = 0; i < names.length; i++) {
    defineProperty(out, names[i], { __proto__: null, value: input[names[i]], writable: true, configurable: true, enumerable: true });
  }
  return out;
};

// started takes the promise of the script, which the worker itself called: no
// frame of the prelude is below the script's. It comes before any reaction of a
// promise runs, so that what the script does to promises can't come between.
const started = (promise) => {
  if (calls) promise = promiseThen(promise, (value) => {
    const fn = typeof value === 'function' ? value : mainOf(value);
    return fn === undefined ? value : reflectApply(fn, undefined, [takesTools(fn) ? tools : withSurface()]);
  });
  promiseThen(promise, succeed, fail);
};

// warm does what every run does, with a function that does nothing: what an engine
// does only the first time is then behind it when the script comes.
const warm = (fn) => {
  functionToString(fn);
  stringify(parse('{"a":[1]}'));
  promiseThen(fn(), encode, describe);
};

return { link, prepare, started, settle, fire, warm };
