// structuredClone looks for a global DOMException when it is loaded.
import DOMException from 'core-js-pure/stable/dom-exception/index.js';

Object.defineProperty(globalThis, 'DOMException', { value: DOMException, writable: true, configurable: true, enumerable: false });
