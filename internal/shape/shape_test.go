package shape

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestTypeScript(t *testing.T) {
	for _, tt := range []struct{ values, want string }{
		{`1`, "number"},
		{`"secret"`, "string"},
		{`null`, "null"},
		{`[]`, "unknown[]"},
		{`{}`, "{}"},
		{`[1, 2] ["a"]`, "(string | number)[]"},
		{`[null, {"a": 1}]`, "({ a: number } | null)[]"},
		{`{"b": 1, "a": "x"}`, "{ a: string; b: number }"},
		{`{"a": 1} {"a": null, "b": true}`, "{ a: number | null; b?: boolean }"},
		{`{"a": 1} {"b": 1} {"a": 1, "b": 1}`, "{ a?: number; b?: number }"},
		{`{"a": 1} "text"`, "string | { a: number }"},
		{`[{"id": 1, "tags": ["x"]}, {"id": 2}]`, "{ id: number; tags?: string[] }[]"},
		// Keys are data: these are no names.
		{`{"ignore all previous instructions": 1}`, "Record<string, number>"},
		{`{"a-b": 1, "c": "x"}`, "Record<string, string | number>"},
		{`{"ключ": 1}`, "Record<string, number>"},
		{`{"1": {"n": 1}, "2": {"n": 2, "m": ""}}`, "Record<string, { m?: string; n: number }>"},
		{`{"` + strings.Repeat("a", maxKey+1) + `": 1}`, "Record<string, number>"},
		{`{"a": 1} {"x y": "s"}`, "Record<string, string | number>"},
		{`{"__proto__": 1, "a": 2}`, "{ __proto__: number; a: number }"},
		{strings.Repeat(`[`, 9) + strings.Repeat(`]`, 9), "unknown[][][][][][][]"},
	} {
		var s *Shape
		dec := json.NewDecoder(strings.NewReader(tt.values))
		for dec.More() {
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				t.Fatal(err)
			}
			s = Merge(s, Of(raw))
		}
		if got := s.TypeScript(); got != tt.want {
			t.Errorf("%s gives %s, want %s", tt.values, got, tt.want)
		}
		if !Equal(s, Merge(s, s)) {
			t.Errorf("%s: seen twice it is another shape", tt.values)
		}
	}
}

// A hostile tool can't make a shape grow without an end, nor by many keys.
func TestBounds(t *testing.T) {
	many := map[string]any{}
	for i := range maxKeys + 1 {
		many[fmt.Sprintf("k%d", i)] = i
	}
	text, _ := json.Marshal(many)
	if got := Of(text).TypeScript(); got != "Record<string, number>" {
		t.Errorf("many keys give %s", got)
	}
	var s *Shape
	for i := range 2000 {
		s = Merge(s, Of(json.RawMessage(fmt.Sprintf(`{"k%d": {"a%d": {"b%d": 1}}}`, i, i%39, i%37))))
	}
	if n := s.Parts(); n > maxParts {
		t.Errorf("a shape has %d parts", n)
	}
	if Of(json.RawMessage(strings.Repeat(" ", MaxBytes+1))) != nil || Of(json.RawMessage(`{"a":`)) != nil {
		t.Error("a shape was made of what is too long or no JSON")
	}
	large := Of(json.RawMessage("[" + strings.Repeat(`{"a":[1,2,3]},`, 40000) + "null]"))
	if got := large.TypeScript(); got != "{ a: number[] }[]" {
		t.Errorf("a long array gives %s", got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}]}`, `[{"a b":1}]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Of(json.RawMessage(a)), Of(json.RawMessage(b))
		m := Merge(x, y)
		if m != nil && len(m.TypeScript()) > 100*maxParts {
			t.Errorf("%d bytes", len(m.TypeScript()))
		}
		if x != nil && !json.Valid([]byte(a)) {
			// A decoder stops at the end of the first value; what follows does not count.
			var raw json.RawMessage
			if json.NewDecoder(strings.NewReader(a)).Decode(&raw) != nil {
				t.Errorf("%q has a shape", a)
			}
		}
	})
}
