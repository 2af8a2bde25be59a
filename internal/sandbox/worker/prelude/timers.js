// Timers. The worker keeps when each is due; here is what to do then. A timer
// that nothing awaits ends with the script.

const timers = create(null);
let lastTimer = 0;
let openTimers = 0;
const MAX_TIMERS = 10000;
const MAX_DELAY = 2147483647; // milliseconds, as browsers count

const startTimer = (name, again, fn, ms, args) => {
  if (typeof fn !== 'function') throw new CoreTypeError(`${name}(fn, ms): fn must be a function`);
  if (openTimers >= MAX_TIMERS) throw new CoreRangeError(`${name}: at most ${MAX_TIMERS} timers can be open`);
  let delay = CoreNumber(ms);
  if (!(delay >= 1)) delay = again ? 1 : 0;
  if (delay > MAX_DELAY) delay = 1;
  const id = ++lastTimer;
  openTimers++;
  timers[id] = { fn, args, delay, again };
  host('timer', id, delay);
  return id;
};

const stopTimer = (id) => {
  if (typeof id !== 'number' && typeof id !== 'string' || timers[id] === undefined) return;
  delete timers[id];
  openTimers--;
  host('untimer', CoreNumber(id));
};

// fire is called by the worker when a timer is due.
const fire = (id) => {
  const timer = timers[id];
  if (timer === undefined) return;
  if (timer.again) {
    host('timer', id, timer.delay);
  } else {
    delete timers[id];
    openTimers--;
  }
  try {
    reflectApply(timer.fn, undefined, timer.args);
  } catch (e) {
    warn(`a timer's function threw: ${threw(e)}`);
  }
};

const named = (name, fn) => {
  defineProperty(fn, 'name', { __proto__: null, value: name, configurable: true });
  hide(name, fn);
};

named('setTimeout', (fn, ms, ...args) => startTimer('setTimeout', false, fn, ms, args));
named('setInterval', (fn, ms, ...args) => startTimer('setInterval', true, fn, ms, args));
named('clearTimeout', stopTimer);
hide('clearInterval', globalThis.clearTimeout);
named('sleep', (ms) => new CorePromise((resolve) => startTimer('sleep', false, resolve, ms, [])));
named('queueMicrotask', (fn) => {
  if (typeof fn !== 'function') throw new CoreTypeError('queueMicrotask(fn): fn must be a function');
  promiseThen(promiseThen(promiseResolve(), () => fn()), undefined, (e) => warn(`a microtask threw: ${threw(e)}`));
});

const MAX_PARALLEL = 32;

named('parallelMap', async (items, fn, n = 5) => {
  if (typeof fn !== 'function') throw new CoreTypeError('parallelMap(items, fn, n): fn must be a function');
  const list = isArray(items) ? items : arrayFrom(items);
  const results = [];
  results.length = list.length;
  let next = 0;
  let failed = false;
  const work = async () => {
    while (next < list.length && !failed) {
      const i = next++;
      try {
        results[i] = await fn(list[i], i);
      } catch (e) {
        failed = true;
        throw e;
      }
    }
  };
  const count = Math_min(list.length, Math_max(1, Math_min(MAX_PARALLEL, Math_floor(CoreNumber(n)) || 1)));
  const workers = [];
  for (let i = 0; i < count; i++) push(workers, work());
  await promiseAll(workers);
  return results;
});
