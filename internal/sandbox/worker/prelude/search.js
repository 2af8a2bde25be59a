// Finding tools: the host has the catalog and the types.

const MAX_QUERY = 2000;

// asked puts a question to the host and gives a promise of the answer. Go throws
// plain strings: they become errors here.
const asked = (name, verb, body) => {
  try {
    return parse(host(verb, stringify(body)));
  } catch (e) {
    throw new CoreError(typeof e === 'string' ? `${name}: ${e}` : `${name}: ${messageOf(e)}`);
  }
};
const searchTools = async (query, limit) => {
  if (typeof query !== 'string') throw new CoreTypeError('searchTools(query, limit?): query must be a string');
  return asked('searchTools', 'search', { query: clip(query, MAX_QUERY), limit: limit === undefined ? undefined : Math_floor(+limit) || 0 });
};
named('searchTools', searchTools);
const describeTool = async (name) => {
  if (typeof name !== 'string') throw new CoreTypeError('describeTool(name): name must be a string');
  return asked('describeTool', 'describe', clip(name, MAX_PATH));
};
named('describeTool', describeTool);

// Other systems have these beside the tools: tools.search({query}) and its like work
// where no tool has the name.
const beside = {
  __proto__: null,
  callTool,
  call: callTool,
  search: (q, limit) => (typeof q === 'object' && q !== null ? searchTools(q.query, q.limit) : searchTools(q, limit)),
  describe: (name) => describeTool(typeof name === 'object' && name !== null ? name.name ?? name.path : name),
};
