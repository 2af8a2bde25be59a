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
named('searchTools', async (query, limit) => {
  if (typeof query !== 'string') throw new CoreTypeError('searchTools(query, limit?): query must be a string');
  return asked('searchTools', 'search', { query: clip(query, MAX_QUERY), limit: limit === undefined ? undefined : Math_floor(+limit) || 0 });
});
named('describeTool', async (name) => {
  if (typeof name !== 'string') throw new CoreTypeError('describeTool(name): name must be a string');
  return asked('describeTool', 'describe', clip(name, MAX_PATH));
});
