// console. Lines go to the host as they happen, as long as they fit; of those that
// do not, the last few are kept here and go at the end of the script.

const MAX_INSPECT_DEPTH = 3;
const MAX_INSPECT_ITEMS = 100;
const MAX_LINE = 10000;
const LINE_COST = 8; // what a line costs besides its text: empty ones are not free
const MAX_LINES = 5000;
const TAIL = 8; // one part of so many is for the last lines
const RING = 100; // how many last lines are kept at most
const MAX_LATE = 2000; // lines above the bound that are formatted though most will be dropped
let logged = 0;
let lines = 0;
let logFull = false;
let over = 0; // lines above the bound
let late = 0;
const ring = []; // the last of them: [level, what was logged]

const isPlain = (args) => {
  for (let i = 0; i < args.length; i++) if (typeof args[i] === 'object' || typeof args[i] === 'function') return false;
  return true;
};

// keepTail takes note of a line above the bound. What is plain is formatted only if
// it is one of the last.
const keepTail = (level, args) => {
  let what = args;
  if (!isPlain(args)) what = late++ < MAX_LATE ? [formatted(args, limits.maxLog / TAIL)] : ['(an object)'];
  const entry = [level, what];
  if (over < RING) push(ring, entry);
  else ring[over % RING] = entry;
  over++;
};

// flushLogs sends the last lines, as many as fit.
const flushLogs = () => {
  let size = 0;
  const last = [];
  for (let i = over - 1; i >= 0 && i >= over - RING; i--) {
    const entry = ring[i % RING];
    const text = formatted(entry[1], limits.maxLog / TAIL - LINE_COST);
    size += text.length + LINE_COST;
    if (size > limits.maxLog / TAIL) break;
    push(last, [entry[0], text]);
  }
  if (over > last.length) host('log', 'warn', `... ${over - last.length} lines were dropped; the last ones follow`);
  for (let i = last.length - 1; i >= 0; i--) host('log', last[i][0], last[i][1]);
  ring.length = over = 0;
};

// quote takes the first of three quotes that needs no escape.
const quote = (s) => {
  const inner = slice(stringify(s), 1, -1).replaceAll('\\"', '"').replace(/\\u00([01][0-9a-f])/g, (_, hex) => `\\x${hex.toUpperCase()}`);
  if (!s.includes("'")) return `'${inner}'`;
  if (!s.includes('"')) return `"${inner}"`;
  return s.includes('`') || s.includes('${') ? `'${inner.replaceAll("'", "\\'")}'` : `\`${inner}\``;
};

let circular = false; // the value that is shown holds itself

const inspect = (v, depth = 0, above = []) => {
  if (depth > 0 || typeof v !== 'object') return inspectValue(v, depth, above);
  circular = false;
  const text = inspectValue(v, 0, above);
  return circular ? `<ref *1> ${text}` : text;
};

const inspectValue = (v, depth, above) => {
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
      const kind = slice(objectToString(v), 8, -1); // AsyncFunction and its like
      return isClass ? `[class ${name || '(anonymous)'}]` : `[${kind}${name ? ': ' + name : ' (anonymous)'}]`;
    }
    case 'object':
      if (v !== null) return inspectObject(v, depth, above);
  }
  return v === 0 && 1 / v < 0 ? '-0' : CoreString(v);
};

// below is the list of what lies above, with one more.
const below = (above, v) => {
  const out = [];
  for (let i = 0; i < above.length; i++) push(out, above[i]);
  push(out, v);
  return out;
};

const inspectObject = (v, depth, above) => {
  for (let i = 0; i < above.length; i++) if (above[i] === v) { v !== above[0] || (circular = true); return '[Circular *1]'; }
  const tag = slice(objectToString(v), 8, -1);
  if (v instanceof CoreError) {
    const stack = typeof v.stack === 'string' ? v.stack : '';
    return (stack || `[${v.name}: ${v.message}]`) + errorDetails(v, depth, above);
  }
  if (tag === 'Number' || tag === 'Boolean' || tag === 'String' || tag === 'BigInt' || tag === 'Symbol') {
    return `[${tag}: ${inspectValue(v.valueOf(), depth, above)}]`;
  }
  if (tag === 'WeakMap' || tag === 'WeakSet') return `${tag} { <items unknown> }`;
  if (tag === 'Date') return isFinite(+v) ? toISO(v) : 'Invalid Date';
  if (tag === 'RegExp') return CoreString(v);
  if (tag === 'Promise') return 'Promise { ... }';
  const proto = getPrototypeOf(v);
  const ctor = proto === null ? '[Object: null prototype]' : typeof proto.constructor === 'function' ? proto.constructor.name : tag;
  if (depth >= MAX_INSPECT_DEPTH) return isArray(v) ? '[Array]' : `[${ctor || 'Object'}]`;
  const inner = below(above, v);
  const show = (x) => inspect(x, depth + 1, inner);
  const parts = [];
  let total = 0;
  const add = (make) => {
    if (total++ < MAX_INSPECT_ITEMS) push(parts, make());
  };
  let head = ctor === 'Object' ? (tag === 'Object' || isArray(v) ? '' : `Object [${tag}] `) : ctor === '' ? '' : `${ctor} `;
  let brackets = ['{', '}'];
  if (isArray(v) || isView(v)) {
    brackets = ['[', ']'];
    head = ctor === 'Array' || ctor === '' ? '' : `${ctor}(${v.length ?? v.byteLength}) `;
    for (let i = 0; i < (v.length ?? 0); i++) {
      if (total >= MAX_INSPECT_ITEMS) { total += v.length - i; break; }
      let holes = 0;
      while (i < v.length && !(i in v)) { holes++; i++; }
      if (holes > 0) {
        i--;
        add(() => `<${holes} empty item${holes > 1 ? 's' : ''}>`);
      } else {
        add(() => show(v[i]));
      }
    }
  } else if (tag === 'Map') {
    head = `Map(${v.size}) `;
    mapEach(v, (value, key) => add(() => `${show(key)} => ${show(value)}`));
  } else if (tag === 'Set') {
    head = `Set(${v.size}) `;
    setEach(v, (value) => add(() => show(value)));
  }
  if (!isArray(v) && !isView(v)) {
    const names = ownKeys(v);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      add(() => {
        const name = matches(IDENTIFIER, key) ? key : quote(key);
        const d = Reflect_getOwnPropertyDescriptor(v, key);
        const accessor = d && (d.get ? (d.set ? '[Getter/Setter]' : '[Getter]') : d.set ? '[Setter]' : '');
        return `${name}: ${accessor || show(v[key])}`;
      });
    }
    const symbols = getOwnSymbols(v);
    for (let i = 0; i < symbols.length; i++) {
      const key = symbols[i];
      const d = Reflect_getOwnPropertyDescriptor(v, key);
      if (d && d.enumerable) add(() => `[${CoreString(key)}]: ${d.get ? '[Getter]' : show(d.value)}`);
    }
  }
  if (total > parts.length) push(parts, `... ${total - parts.length} more item${total - parts.length > 1 ? 's' : ''}`);
  if (parts.length === 0) return `${head}${brackets[0]}${brackets[1]}`;
  const pad = '  '.repeat(depth + 1);
  if (brackets[0] === '[' && parts.length > 6) {
    const rows = columns(parts, total > MAX_INSPECT_ITEMS, depth * 2, typeof v[0] === 'number' || typeof v[0] === 'bigint');
    if (rows !== parts) return `${head}[\n${pad}${join(rows, `,\n${pad}`)}\n${'  '.repeat(depth)}]`;
  }
  const line = join(parts, ', ');
  if (line.length <= 72 && !line.includes('\n')) {
    return brackets[0] === '[' ? `${head}[ ${line} ]` : `${head}{ ${line} }`;
  }
  return `${head}${brackets[0]}\n${pad}${join(parts, `,\n${pad}`)}\n${'  '.repeat(depth)}${brackets[1]}`;
};

// errorDetails shows what an error has besides its stack, and its cause.
const errorDetails = (e, depth, above) => {
  if (depth >= MAX_INSPECT_DEPTH) return '';
  const parts = [];
  const inner = below(above, e);
  const names = ownKeys(e);
  for (let i = 0; i < names.length; i++) push(parts, `${names[i]}: ${inspect(e[names[i]], depth + 1, inner)}`);
  if (e.cause !== undefined) push(parts, `[cause]: ${inspect(e.cause, depth + 1, inner)}`);
  if (isArray(e.errors)) push(parts, `[errors]: ${inspect(e.errors, depth + 1, inner)}`);
  if (parts.length === 0) return '';
  const pad = '  '.repeat(depth + 1);
  return ` {\n${pad}${join(parts, `,\n${pad}`)}\n${'  '.repeat(depth)}}`;
};

const BREAK_LENGTH = 80;

// columns lays the items of a long list out in columns, about as wide as high,
// when they are short; numbers stand to the right.
const columns = (items, more, indent, numbers) => {
  const count = more ? items.length - 1 : items.length; // the last says how many more
  let sum = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    sum += items[i].length + 2;
    widest = Math_max(widest, items[i].length);
    if (indexOf(items[i], '\n') >= 0) return items;
  }
  const width = widest + 2;
  if (width * 3 + indent >= BREAK_LENGTH || (sum / width <= 5 && widest > 6)) return items;
  const usual = Math_max(width - 3 - Math_sqrt(width - sum / items.length), 1);
  const across = Math_min(Math_round(Math_sqrt(2.5 * usual * count) / usual), Math_floor((BREAK_LENGTH - indent) / width), 12, 15);
  if (across <= 1) return items;
  const widths = [];
  for (let c = 0; c < across; c++) {
    let most = 0;
    for (let i = c; i < count; i += across) most = Math_max(most, items[i].length);
    push(widths, most + 2);
  }
  const rows = [];
  for (let i = 0; i < count; i += across) {
    const last = Math_min(i + across, count) - 1;
    let row = '';
    for (let j = i; j <= last; j++) {
      const cell = j < last ? `${items[j]}, ` : items[j];
      const room = widths[j - i] - (j < last ? 0 : 2);
      if (numbers) row += cell.padStart(room);
      else row += j < last ? cell.padEnd(room) : cell;
    }
    push(rows, row);
  }
  if (more) push(rows, items[count]);
  return rows;
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

// formatted is what is logged as one text of at most so many units.
const formatted = (args, most) => {
  try {
    return clip(format(args), Math_floor(most));
  } catch (e) {
    return `(a value that can't be printed: ${messageOf(e)})`;
  }
};

const log = (level) => {
  const name = level;
  return { [name]: (...args) => {
    if (logFull) return keepTail(level, args);
    const room = limits.maxLog - Math_floor(limits.maxLog / TAIL);
    const text = formatted(args, Math_min(MAX_LINE, room / 2));
    if (logged + text.length > room || lines >= MAX_LINES) {
      logFull = true;
      host('log', 'warn', `... of the console output above ${limits.maxLog} characters or ${MAX_LINES} lines only the end is kept`);
      return keepTail(level, args);
    }
    lines++;
    logged += text.length + LINE_COST;
    host('log', level, text);
  } }[name];
};
// table shows rows as Node.js does: a list of objects or of lists.
const table = (rows) => {
  if (typeof rows !== 'object' || rows === null) return console_log(rows);
  const columns = [];
  const cells = [];
  const cell = (v) => (typeof v === 'object' && v !== null ? inspect(v, MAX_INSPECT_DEPTH) : inspect(v));
  for (const index of ownKeys(rows).slice(0, MAX_INSPECT_ITEMS)) {
    const row = rows[index];
    const line = { __proto__: null, '(index)': index };
    if (typeof row === 'object' && row !== null) {
      for (const key of ownKeys(row)) {
        if (columns.indexOf(key) < 0) push(columns, key);
        line[`.${key}`] = cell(row[key]);
      }
    } else {
      line.Values = cell(row);
    }
    push(cells, line);
  }
  const heads = [['(index)', '(index)'], ...columns.map((c) => [c, `.${c}`])];
  if (cells.some((c) => c.Values !== undefined)) push(heads, ['Values', 'Values']);
  const widths = heads.map(([head, key]) => Math_max(head.length, ...cells.map((c) => (c[key] ?? '').length)) + 2);
  const rule = (left, middle, right) => left + widths.map((w) => '─'.repeat(w)).join(middle) + right;
  const line = (values) => `│${values.map((v, i) => ` ${v}`.padEnd(widths[i])).join('│')}│`;
  console_log([rule('┌', '┬', '┐'), line(heads.map(([head]) => head)), rule('├', '┼', '┤'),
    ...cells.map((c) => line(heads.map(([, key]) => c[key] ?? ''))), rule('└', '┴', '┘')].join('\n'));
};

const console_log = log('log');
const console_error = log('error');
const counts = create(null);
const times = create(null);
const label = (name) => (name === undefined ? 'default' : CoreString(name));
const now = Date.now;
hide('console', { table, dir: (v) => console_log(inspect(v)), group: console_log, groupCollapsed: console_log, groupEnd: () => {},
  trace: (...args) => console_error('Trace:', ...args),
  assert: (ok, ...args) => { if (!ok) console_error('Assertion failed', ...args); },
  count: (name) => { counts[label(name)] = (counts[label(name)] ?? 0) + 1; console_log(`${label(name)}: ${counts[label(name)]}`); },
  time: (name) => { times[label(name)] = now(); },
  timeLog: (name) => { console_log(`${label(name)}: ${now() - (times[label(name)] ?? now())}ms`); },
  timeEnd: (name) => { console_log(`${label(name)}: ${now() - (times[label(name)] ?? now())}ms`); delete times[label(name)]; },
  log: console_log, info: log('info'), warn: log('warn'), error: console_error, debug: log('debug') });
