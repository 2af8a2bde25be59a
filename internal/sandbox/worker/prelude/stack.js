// The text of a stack. V8 asks Error.prepareStackTrace for it when it is first read.
// It has the author's lines, and no frame of the prelude or of what the prelude
// called. A script that puts a function of its own there sees V8's positions.

const SCRIPT = 'codemode:script'; // V8's name for the script: no author writes it
const PRELUDE = 'codemode:prelude';
const errorToString = uncurry(Error.prototype.toString);

// The methods of V8's frames, which have no name of their own.
const [siteText, fileOf, nameOf, lineOf, columnOf] = (() => {
  const limit = Error.stackTraceLimit; // not there while V8 makes a snapshot
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (_, sites) => getPrototypeOf(sites[0]);
  const proto = new CoreError().stack;
  delete Error.prepareStackTrace;
  if (limit === undefined) delete Error.stackTraceLimit;
  else Error.stackTraceLimit = limit;
  return [proto.toString, proto.getFileName, proto.getScriptNameOrSourceURL, proto.getLineNumber, proto.getColumnNumber].map((f) => uncurry(f));
})();

const places = create(null); // the author's line and column by V8's

const frameText = (site) => {
  const at = `${lineOf(site)}:${columnOf(site)}`;
  const text = siteText(site);
  const place = places[at] ??= host('place', at) ?? at;
  const there = `${nameOf(site)}:${at}`;
  if (slice(text, -there.length - 1) === `${there})`) return `${slice(text, 0, -there.length - 1)}script.js:${place})`;
  if (slice(text, -there.length) === there) return `${slice(text, 0, -there.length)}script.js:${place}`;
  return text;
};

const stackText = (error, sites) => {
  let head;
  try { head = errorToString(error); } catch { head = '<error>'; }
  let frames = '';
  let ours = false; // the frame below is the prelude's
  for (let i = sites.length - 1; i >= 0; i--) {
    const file = fileOf(sites[i]);
    ours = file === PRELUDE || ours && typeof file !== 'string';
    if (!ours) frames = `\n    at ${file === SCRIPT ? frameText(sites[i]) : siteText(sites[i])}${frames}`;
  }
  return head + frames;
};
hideIn(Error, 'prepareStackTrace', stackText);
