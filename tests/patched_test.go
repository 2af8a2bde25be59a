package tests

import (
	"strings"
	"testing"
)

// patchAll makes every method of every built-in throw, and every list impossible to
// iterate over.
const patchAll = `
const { defineProperty: define, getOwnPropertyNames: namesOf, getOwnPropertySymbols: symbolsOf, getOwnPropertyDescriptor: descriptorOf } = Object;
const each = (list, f) => { for (let i = 0; i < list.length; i++) f(list[i]); };
const targets = [];
each(namesOf(globalThis), (name) => {
  const v = globalThis[name];
  if (typeof v !== 'function' && (typeof v !== 'object' || v === null)) return;
  if (['tools', 'codemode', 'cc', 'mcg', 'mcp', 'console', 'args', 'input', 'globalThis', 'state'].indexOf(name) >= 0) return;
  targets[targets.length] = v;
  if (typeof v === 'function' && v.prototype) targets[targets.length] = v.prototype;
});
const proto = Object.getPrototypeOf;
targets[targets.length] = proto([][Symbol.iterator]());
targets[targets.length] = proto(proto([][Symbol.iterator]()));
targets[targets.length] = proto(async function () {});
const all = [];
each(targets, (target) => each([namesOf(target), symbolsOf(target)], (keys) => each(keys, (key) => {
  const d = descriptorOf(target, key);
  if (key !== 'constructor' && d.configurable && typeof d.value === 'function' && key !== 'prototype') all[all.length] = [target, key];
})));
const boom = () => { throw 'patched'; };
each(all, (entry) => { define(entry[0], entry[1], { __proto__: null, value: boom, writable: true, configurable: true }); });
`

// Whatever a script does to the built-ins, its run ends with what it returned or
// threw: what runs after it takes nothing from where the script has been.
func TestPatchedBuiltins(t *testing.T) {
	c := startWith(t, upstreams{"one": "calls"})
	flood := `for (let i = 0; i < 20000; i++) console.log('a'.repeat(30), {i});`
	long := `'x'.repeat(5000)`
	for name, tt := range map[string]struct{ script, want string }{
		"a result":                 {patchAll + `return 1`, `1`},
		"a nested result":          {patchAll + `return {a: [1, {b: 'x'}], c: [undefined, NaN]}`, `{"a":[1,{"b":"x"}],"c":[null,null]}`},
		"after much is logged":     {flood + patchAll + `console.log('%s', 'x'); return 1`, `1`},
		"only the list":            {`for (let i = 0; i < 20000; i++) console.log('a'.repeat(30)); Array.prototype[Symbol.iterator] = () => { throw 1 }; return 1`, `1`},
		"nothing after a call":     {`const r = await tools.one.echo({a: 1}); const x = r.nope; ` + patchAll + `return {x}`, `{}`},
		"a long warning":           {`const key = ` + long + `; ` + patchAll + `return {[key]: NaN}`, `xxx":null}`},
		"state":                    {`state.list = [1]; ` + patchAll + `state.list[1] = 2; state.f = () => 1; return 1`, `1`},
		"a cycle":                  {`const v = {}; v.v = v; ` + patchAll + `return v`, `JSON has no cycles`},
		"an error":                 {patchAll + `throw new Error('own words')`, `own words`},
		"an error with a cause":    {patchAll + `throw new Error('own words', {cause: new TypeError(` + "`cause`" + `)})`, `cause`},
		"a thrown object":          {patchAll + `throw {why: 'own words'}`, `own words`},
		"a thrown thing":           {patchAll + `throw new Map([[1, 2]])`, `patched`},
		"a failed call":            {patchAll + `try { await tools.one.nope({}) } catch (e) { return typeof e }`, `"object"`},
		"a call":                   {patchAll + `return (await tools.one.echo({a: [1]})).args`, `{"a":[1]}`},
		"a stack that throws":      {`Error.prepareStackTrace = () => { throw 1 }; let r; try { await tools.one.nope({}) } catch (e) { r = 'caught' } return r`, `"caught"`},
		"descriptors":              {`Object.prototype.get = () => 1; return [undefined, 1n]`, `[null,1]`},
		"no kind of error":         {`Object.defineProperty(Error, Symbol.hasInstance, {value() { throw 1 }}); throw new Error('x')`, `can`},
		"timers":                   {`const later = setTimeout; ` + patchAll + `later(() => { throw new Error('x') }, 0); await sleep(5); return 1`, ``},
		"a date and a typed array": {`const v = [new Map([[1, 2]]), new Set([1])]; ` + patchAll + `return v`, `[[[1,2]],[1]]`},
	} {
		t.Run(name, func(t *testing.T) {
			env := c.run(tt.script)
			if got := string(env.Result) + env.Message; !strings.Contains(got, tt.want) || strings.Contains(got, "nothing can settle") {
				t.Errorf("got %s %.300s, want %s", env.Kind, got, tt.want)
			}
		})
	}
}
