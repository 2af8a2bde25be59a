// attack: an Intl.Segmenter over a giant text
// expect: memory_limit | exception
// bound: deadline + 500 ms
const text = 'word '.repeat(5e6);
return [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].length;
