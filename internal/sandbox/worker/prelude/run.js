// start runs the script: an async function that the worker compiled.

const done = (status, text) => host('done', status, text, texts(warnings));

const fail = (e) => {
  const why = NotSerializable.why(e);
  const { kind, message, stack } = why === undefined ? describe(e) : { kind: 'result_not_serializable', message: why, stack: '' };
  done('err', `{"kind":${stringify(kind)},"message":${stringify(message)},"stack":${stringify(stack)}}`);
};

const succeed = (value) => {
  try {
    done('ok', encode(value));
  } catch (e) {
    fail(e);
  }
};

const start = (fn, source, meta, args) => {
  // Only the whole wrapper is one function: a script that closes it early and
  // goes on outside makes a value that is something else.
  if (typeof fn !== 'function' || functionToString(fn).length !== source) return false;
  const { maxArgs, maxResult, maxLog } = parse(meta);
  limits.maxArgs = maxArgs;
  limits.maxResult = maxResult;
  limits.maxLog = maxLog;
  const input = parse(args);
  hide('args', input);
  hide('arguments', input);
  let promise;
  try {
    promise = fn();
  } catch (e) {
    fail(e);
    return true;
  }
  promiseThen(promise, succeed, fail);
  return true;
};

// warm does what every run does, with a function that does nothing: what an engine
// does only the first time is then behind it when the script comes.
const warm = (fn) => {
  functionToString(fn);
  stringify(parse('{"a":[1]}'));
  promiseThen(fn(), encode, describe);
};

return { start, settle, warm };
