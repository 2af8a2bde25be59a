// emit adds content blocks to the answer, beside the result.

let emitted = false;
const BLOCKS = {
  __proto__: null,
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
};

const emit = (block) => {
  if (typeof block !== 'object' || block === null || typeof block.type !== 'string' || BLOCKS[block.type] === undefined) {
    throw new CoreTypeError(`emit(content): content must be a block such as {type: "text", text: "..."}; types: ${join(ownKeys(BLOCKS), ', ')}`);
  }
  const needed = typeof block.media === 'string' ? [] : BLOCKS[block.type]; // a handle: the host has the data
  for (let i = 0; i < needed.length; i++) {
    if (typeof block[needed[i]] !== 'string') throw new CoreTypeError(`emit(content): a block of type ${block.type} needs ${needed[i]}, a string`);
  }
  emitted = true;
  host('emit', stringify(block));
};
named('emit', emit);

named('text', (x) => {
  let text = typeof x === 'string' ? x : stringify(normal(x, () => 'text', 0));
  if (text === undefined) text = CoreString(x);
  emit({ type: 'text', text });
});

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/;

// mediaBytes gives the data of an image, a sound or a resource that a tool returned.
named('mediaBytes', (handle) => {
  const name = typeof handle === 'object' && handle !== null ? handle.media : undefined;
  if (typeof name !== 'string') throw new CoreTypeError('mediaBytes(handle): handle must be an image, audio or resource that a tool returned, with its media');
  return fromBinary(host('media', name));
});

named('image', (x) => {
  if (typeof x === 'object' && x !== null) {
    if (typeof x.image_url === 'string') return globalThis.image(x.image_url);
    return emit(typeof x.type === 'string' ? x : { type: 'image', data: x.data, mimeType: x.mimeType });
  }
  if (typeof x !== 'string') throw new CoreTypeError('image(x): x must be an image block, a data: URL or base64');
  const head = DATA_URL.exec(x);
  emit(head === null ? { type: 'image', data: x, mimeType: 'image/png' } : { type: 'image', data: slice(x, head[0].length), mimeType: head[1] });
});
