// console. Lines go to the host as they happen; the last one that fits says that
// the rest was dropped.

const MAX_INSPECT_DEPTH = 3;
const MAX_INSPECT_ITEMS = 100;
const MAX_LINE = 10000;
const LINE_COST = 8; // what a line costs besides its text: empty ones are not free
let logged = 0;
let logFull = false;

const quote = (s) => {
  const q = s.includes("'") ? stringify(s) : `'${slice(stringify(s), 1, -1).replaceAll('\\"', '"')}'`;
  return q;
};

const inspect = (v, depth = 0, above = []) => {
  switch (typeof v) {
    case 'string':
      return quote(clip(v, MAX_LINE));
    case 'bigint':
      return `${v}n`;
    case 'symbol':
      return v.toString();
    case 'function': {
      const isClass = functionToString(v).startsWith('class');
      const name = typeof v.name === 'string' && v.name !== '' ? v.name : '';
      return isClass ? `[class ${name || '(anonymous)'}]` : `[Function${name ? ': ' + name : ' (anonymous)'}]`;
    }
    case 'object':
      if (v !== null) return inspectObject(v, depth, above);
  }
  return v === 0 && 1 / v < 0 ? '-0' : CoreString(v);
};

const inspectObject = (v, depth, above) => {
  for (let i = 0; i < above.length; i++) if (above[i] === v) return '[Circular]';
  const tag = slice(objectToString(v), 8, -1);
  if (v instanceof CoreError) {
    const stack = typeof v.stack === 'string' ? v.stack.split('\n').filter((l) => !l.includes('codemode:')).join('\n') : '';
    return stack || `[${v.name}: ${v.message}]`;
  }
  if (tag === 'Date') return isFinite(+v) ? toISO(v) : 'Invalid Date';
  if (tag === 'RegExp') return CoreString(v);
  if (tag === 'Promise') return 'Promise { ... }';
  const proto = getPrototypeOf(v);
  const ctor = proto === null ? '[Object: null prototype]' : typeof proto.constructor === 'function' ? proto.constructor.name : tag;
  if (depth >= MAX_INSPECT_DEPTH) return isArray(v) ? '[Array]' : `[${ctor || 'Object'}]`;
  const inner = [...above, v];
  const show = (x) => inspect(x, depth + 1, inner);
  const parts = [];
  let total = 0;
  const add = (make) => {
    if (total++ < MAX_INSPECT_ITEMS) push(parts, make());
  };
  let head = ctor === 'Object' ? '' : `${ctor} `;
  let brackets = ['{', '}'];
  if (isArray(v) || isView(v)) {
    brackets = ['[', ']'];
    head = ctor === 'Array' ? '' : `${ctor}(${v.length ?? v.byteLength}) `;
    for (let i = 0; i < (v.length ?? 0); i++) {
      if (total >= MAX_INSPECT_ITEMS) { total = v.length; break; }
      add(() => (i in v ? show(v[i]) : '<empty>'));
    }
  } else if (tag === 'Map') {
    head = `Map(${v.size}) `;
    mapEach(v, (value, key) => add(() => `${show(key)} => ${show(value)}`));
  } else if (tag === 'Set') {
    head = `Set(${v.size}) `;
    setEach(v, (value) => add(() => show(value)));
  }
  if (!isArray(v) && !isView(v)) {
    for (const key of ownKeys(v)) {
      add(() => {
        const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
        const d = Reflect_getOwnPropertyDescriptor(v, key);
        return `${name}: ${d && d.get ? '[Getter]' : show(v[key])}`;
      });
    }
  }
  if (total > parts.length) push(parts, `... ${total - parts.length} more items`);
  if (parts.length === 0) return `${head}${brackets[0]}${brackets[1]}`;
  const line = join(parts, ', ');
  if (line.length <= 72 && !line.includes('\n')) {
    return brackets[0] === '[' ? `${head}[ ${line} ]` : `${head}{ ${line} }`;
  }
  const pad = '  '.repeat(depth + 1);
  return `${head}${brackets[0]}\n${pad}${join(parts, `,\n${pad}`)}\n${'  '.repeat(depth)}${brackets[1]}`;
};

const format = (args) => {
  const parts = [];
  let first = 0;
  if (typeof args[0] === 'string' && args.length > 1 && args[0].includes('%')) {
    let next = 1;
    push(parts, args[0].replace(/%[sdifjoOc%]/g, (m) => {
      if (m === '%%') return '%';
      if (next >= args.length) return m;
      const v = args[next++];
      switch (m) {
        case '%s': return typeof v === 'string' ? v : inspect(v);
        case '%d': return CoreString(CoreNumber(v));
        case '%i': return CoreString(Math.trunc(CoreNumber(v)));
        case '%f': return CoreString(CoreNumber(v));
        case '%j': return stringify(v);
        case '%c': return '';
      }
      return inspect(v);
    }));
    first = next;
  }
  for (let i = first; i < args.length; i++) push(parts, typeof args[i] === 'string' ? args[i] : inspect(args[i]));
  return join(parts, ' ');
};

const log = (level) => {
  const name = level;
  return { [name]: (...args) => {
    if (logFull) return;
    let text;
    try {
      text = clip(format(args), MAX_LINE);
    } catch (e) {
      text = `(a value that can't be printed: ${messageOf(e)})`;
    }
    if (logged + text.length > limits.maxLog) {
      logFull = true;
      text = `... console output above ${limits.maxLog} characters was dropped`;
      level = 'warn';
    }
    logged += text.length + LINE_COST;
    host('log', level, text);
  } }[name];
};
hide('console', { log: log('log'), info: log('info'), warn: log('warn'), error: log('error'), debug: log('debug') });
