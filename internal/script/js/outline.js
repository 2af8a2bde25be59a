// outline reads a source that has no plain "return" and says, from its syntax
// tree, what form it has. It answers with JSON; positions are UTF-16 offsets:
//   {form, edits: [{at, end, text}], call, pos, what}   a source that parses
//   {error, pos}                                        one that does not
// An edit replaces [at, end) by text. With call, a result that is a function is
// called with args. acorn is the parser that was loaded beside this file.
(acorn) => {
  'use strict';
  const base = {
    ecmaVersion: 'latest',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: false,
    checkPrivateFields: true,
  };
  const asScript = (source) => acorn.parse(source, { ...base, sourceType: 'script' });
  const asModule = (source) => acorn.parse(source, { ...base, sourceType: 'module' });

  // asExpression parses a source that is one expression where a statement would
  // read it otherwise: an anonymous function, an object literal.
  const asExpression = (source) => {
    const node = acorn.parseExpressionAt(source, 0, { ...base, sourceType: 'script' });
    for (const token of acorn.tokenizer(source.slice(node.end), base)) {
      if (token.type.label !== ';') throw new SyntaxError('more than an expression');
    }
    return node;
  };

  const isFunction = (node) =>
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration';
  const name = (node) => (node?.type === 'Identifier' ? node.name : undefined);

  // returnsHere finds a return of the script itself: it looks into every
  // statement, and never into an expression.
  const returnsHere = (node) => {
    if (node === null || typeof node !== 'object') return false;
    if (Array.isArray(node)) return node.some(returnsHere);
    switch (node.type) {
      case 'ReturnStatement':
        return true;
      case 'BlockStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'LabeledStatement':
      case 'WithStatement':
        return returnsHere(node.body);
      case 'IfStatement':
        return returnsHere(node.consequent) || returnsHere(node.alternate);
      case 'SwitchStatement':
        return node.cases.some((c) => returnsHere(c.consequent));
      case 'TryStatement':
        return returnsHere(node.block) || returnsHere(node.handler?.body) || returnsHere(node.finalizer);
    }
    return false;
  };

  const exported = (node) => {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=' || node.left.type !== 'MemberExpression') return false;
    const { object, property, computed } = node.left;
    if (computed) return false;
    if (name(object) === 'module' && name(property) === 'exports') return true;
    const isExports = name(object) === 'exports' || object.type === 'MemberExpression' && !object.computed &&
      name(object.object) === 'module' && name(object.property) === 'exports';
    return isExports && ['default', ...MAIN].includes(name(property));
  };

  const generator = (node) => ({ form: 'generator', pos: node.start });

  // spaces stand for what is taken away, so that positions stay.
  const blank = (source, at, end) => ({ at, end, text: source.slice(at, end).replace(/[^\n\r\u2028\u2029]/g, ' ') });

  // skip is the offset behind the first n tokens from start.
  const skip = (source, start, n) => {
    const tokens = acorn.tokenizer(source.slice(start), base);
    let token;
    for (let i = 0; i < n; i++) token = tokens.getToken();
    return start + token.end;
  };

  // value makes the text from start to end, whose expression is node, the result.
  // The text may have parentheses that the node does not know of.
  const value = (source, node, start, end, edits) => {
    if (isFunction(node) && node.generator) return generator(node);
    if (source[end - 1] === ';') end--;
    edits.push({ at: start, end: start, text: 'return (' }, { at: end, end, text: ')' });
    return { form: 'value', edits, call: true };
  };

  // exportsValue is value for "module.exports = ...".
  const exportsValue = (source, statement, edits) => {
    const { left, right, start } = statement.expression;
    edits.push(blank(source, start, skip(source, left.end, 1)));
    const out = value(source, right, statement.start, statement.end, edits);
    if (out.form === 'value' && start === statement.start) edits.sort((a, b) => a.at - b.at || a.end - b.end);
    return out;
  };

  // MAIN are the names of a function that a script means to be its start.
  const MAIN = ['main', 'run', 'execute', 'script', 'handler'];

  // declared is a script of declarations only: the function among them is meant.
  const declared = (body, edits, end) => {
    const functions = [];
    for (const node of body) {
      if (node.type === 'FunctionDeclaration') functions.push([node.id.name, node]);
      if (node.type === 'VariableDeclaration') {
        for (const d of node.declarations) {
          if (d.init && isFunction(d.init) && name(d.id)) functions.push([d.id.name, d.init]);
        }
      }
    }
    const main = functions.find(([n]) => MAIN.includes(n)) ?? (functions.length === 1 ? functions[0] : undefined);
    if (!main) return { form: 'silent', edits, what: functions.length > 1 ? 'functions' : '' };
    if (main[1].generator) return generator(main[1]);
    edits.push({ at: end, end, text: `\nreturn ${main[0]}` });
    return { form: 'value', edits, call: true };
  };

  const DECLARATIONS = ['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclaration', 'EmptyStatement'];

  const statements = (source, body, edits) => {
    if (returnsHere(body)) return { form: 'plain', edits };
    const work = body.filter((node) => node.type !== 'EmptyStatement');
    if (work.length === 0) return { form: 'empty' };
    // Functions stand wherever they like: what comes last is the last that runs.
    const last = work.findLast((node) => node.type !== 'FunctionDeclaration') ?? work[work.length - 1];
    if (last.type === 'ExpressionStatement') {
      return exported(last.expression)
        ? exportsValue(source, last, edits)
        : value(source, last.expression, last.start, last.end, edits);
    }
    const rest = work.filter((node) => !node.directive);
    if (rest.length === 1 && last.type === 'BlockStatement' && last.body.length > 0 &&
      last.body.every((n) => n.type === 'LabeledStatement' && n.body.type === 'ExpressionStatement')) {
      try {
        const node = acorn.parseExpressionAt(source, last.start, { ...base, sourceType: 'script' });
        if (node.type === 'ObjectExpression' && node.end === last.end) return value(source, node, node.start, node.end, edits);
      } catch { /* a block after all */ }
    }
    if (rest.every((node) => DECLARATIONS.includes(node.type))) return declared(rest, edits, source.length);
    // module.exports = ... somewhere, with declarations after it
    const out = rest.filter((node) => node.type === 'ExpressionStatement' && exported(node.expression));
    if (out.length === 1 && rest.every((node) => node === out[0] || DECLARATIONS.includes(node.type))) {
      return exportsValue(source, out[0], edits);
    }
    return { form: 'silent', edits, what: '' };
  };

  // moduleForm turns a module into a body: what it exports by default is the result.
  const moduleForm = (source, body) => {
    const edits = [];
    const plain = [];
    let result;
    for (const node of body) {
      switch (node.type) {
        case 'ImportDeclaration':
          if (node.specifiers.length === 0 && source.slice(node.start, node.source.start).includes('{')) {
            edits.push(blank(source, node.start, node.end)); // all of it were types
            break;
          }
          return { form: 'import', pos: node.start, what: String(node.source.value) };
        case 'ExportAllDeclaration':
          return { form: 'import', pos: node.start, what: String(node.source.value) };
        case 'ExportNamedDeclaration':
          if (node.source) return { form: 'import', pos: node.start, what: String(node.source.value) };
          if (node.declaration) {
            edits.push(blank(source, node.start, node.declaration.start));
            plain.push(node.declaration);
          } else {
            edits.push(blank(source, node.start, node.end));
          }
          break;
        case 'ExportDefaultDeclaration':
          result = node;
          edits.push(blank(source, node.start, skip(source, node.start, 2)));
          break;
        default:
          plain.push(node);
      }
    }
    if (!result) return statements(source, plain, edits);
    const node = result.declaration;
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
      if (node.generator) return generator(node);
      if (node.id) {
        edits.push({ at: source.length, end: source.length, text: `\nreturn ${node.id.name}` });
        return { form: 'value', edits, call: true };
      }
    }
    const start = skip(source, result.start, 2);
    const out = value(source, node, start, result.end, edits);
    // What follows the export still has to run, and the result has to come last.
    const after = plain.some((n) => n.start > result.end && n.type !== 'FunctionDeclaration' && n.type !== 'EmptyStatement');
    return after && out.form === 'value' ? { form: 'export', pos: result.start } : out;
  };

  return (source) => {
    let first;
    try {
      return JSON.stringify(statements(source, asScript(source).body, []));
    } catch (e) {
      first = e;
    }
    try {
      const node = asExpression(source);
      return JSON.stringify(value(source, node, 0, node.end, []));
    } catch { /* not one expression */ }
    try {
      return JSON.stringify(moduleForm(source, asModule(source).body));
    } catch (e) {
      if (/import|export/.test(first.message) && e.pos !== undefined) first = e;
    }
    return JSON.stringify({ error: String(first.message), pos: first.pos ?? -1 });
  };
}
