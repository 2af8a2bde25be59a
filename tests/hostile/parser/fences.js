// attack: markdown fences in fences
// expect: syntax_error
// bound: deadline + 500 ms
```js
```ts
/*repeat 100000 "```\n"*/return 1;
```
