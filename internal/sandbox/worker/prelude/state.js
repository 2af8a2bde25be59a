// state lasts from run to run. It is fetched when the script first reads it, and
// each top-level key that changed goes back with the end of the run.

let state;
let before; // the JSON text of each key as it was

const loadState = () => {
  if (state !== undefined) return state;
  state = parse(host('state'));
  before = create(null);
  const names = ownKeys(state);
  for (let i = 0; i < names.length; i++) before[names[i]] = stringify(state[names[i]]);
  return state;
};

defineProperty(globalThis, 'state', {
  configurable: true,
  enumerable: false,
  get: loadState,
  set: (value) => {
    if (typeof value !== 'object' || value === null || isArray(value)) throw new CoreTypeError('state must be a plain object');
    loadState();
    state = value;
  },
});

// stateChanges gives the JSON of what changed, or nothing.
const stateChanges = () => {
  if (state === undefined) return '';
  const sets = [];
  const deletes = [];
  let size = 0;
  try {
    const names = ownKeys(state);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      try {
        const text = stringify(normal(state[key], () => at('state', key), 1));
        if (text === undefined) continue; // a function: normal has said so
        if (text === before[key]) continue;
        size += key.length + text.length;
        if (size > limits.maxState) { // the host would refuse it, and need not hold it
          size -= key.length + text.length;
          warn(`${at('state', key)} was not kept: with its ${text.length} characters the state would be above CODE_MODE_MAX_STATE_KB (its old value stays; keep less)`);
          continue;
        }
        push(sets, `${stringify(key)}:${text}`);
      } catch (e) {
        const why = NotSerializable.why(e) === 'deep' ? cycle(state[key], at('state', key)) ?? 'it nests too deeply' : NotSerializable.why(e) ?? messageOf(e);
        warn(`${at('state', key)} was not kept: ${why}`);
      }
    }
    for (const key in before) if (!has(state, key)) push(deletes, stringify(key));
  } catch (e) {
    warn(`state was not kept: ${messageOf(e)}`);
    return '';
  }
  if (sets.length === 0 && deletes.length === 0) return '';
  return `{"set":{${join(sets, ',')}},"delete":[${join(deletes, ',')}]}`;
};

const keyOf = (name, key) => {
  if (typeof key !== 'string' || key === '') throw new CoreTypeError(`${name}(key): key must be a string`);
  return key;
};
named('store', (key, value) => { loadState()[keyOf('store', key)] = value; });
named('load', (key) => loadState()[keyOf('load', key)]);
