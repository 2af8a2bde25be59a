package sdkgen

import (
	"fmt"
	"strings"
	"testing"
)

// typeOf is the type of a schema on one line, with the named types it needs
// after it.
func typeOf(t *testing.T, schema string) string {
	t.Helper()
	c, err := convert([]byte(schema), "Root", kindAny, newNamer("Root").pick)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	var out []string
	for i, d := range c.order {
		s, ok := compact(d.typ, 0)
		if !ok {
			t.Fatalf("%s: %s does not fit one line", schema, d.name)
		}
		if i > 0 {
			s = d.name + " = " + s
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestConvert(t *testing.T) {
	tests := []struct{ schema, want string }{
		// Nothing said.
		{`{}`, `unknown`},
		{`true`, `unknown`},
		{`false`, `never`},
		{`{"description":"only words"}`, `unknown`},
		{`7`, `unknown /* not a schema */`},
		// Types.
		{`{"type":"integer"}`, `number`},
		{`{"type":["string","null"]}`, `string | null`},
		{`{"type":"date"}`, `unknown /* its type is none of JSON Schema */`},
		{`{"type":[]}`, `unknown /* its type is none of JSON Schema */`},
		{`{"minLength":1}`, `string`},
		{`{"maximum":1,"pattern":"x"}`, `string | number`},
		{`{"items":{"type":"string"}}`, `string[]`},
		{`{"properties":{"a":{}}}`, `{ a?: unknown }`},
		// A bound beside other schemas restricts one kind and excludes none.
		{`{"anyOf":[{"type":"string"},{"type":"null"}],"minLength":1}`, `string | null`},
		{`{"anyOf":[{"type":"array"},{"type":"null"}],"items":{"type":"string"}}`, `(string[] | null) & (unknown[] | null)`},
		// Enums.
		{`{"enum":["a","b","a"]}`, `"a" | "b"`},
		{`{"type":"string","enum":["a",1,null]}`, `"a"`},
		{`{"type":"string","enum":[1]}`, `never /* no value of the enum has an allowed type */`},
		{`{"enum":[]}`, `never /* no value of the enum has an allowed type */`},
		{`{"enum":"a"}`, `unknown /* enum is not a list */`},
		{`{"const":{"b":[1,"x"],"a":null}}`, `{ b: [1, "x"]; a: null }`},
		{`{"enum":[1.0,-0,1e5,12345678901234567890,1e400]}`, `1.0 | -0 | 1e5 | 12345678901234567890 | number /* a number too large for a literal */`},
		{`{"type":"string","nullable":true,"enum":["a"]}`, `"a" | null`},
		// Objects.
		{`{"type":"object"}`, `{ [key: string]: unknown }`},
		{`{"type":"object","additionalProperties":false}`, `{ [key: string]: never }`},
		{`{"properties":{"b":{"type":"string"},"a":{"type":"number"}},"required":["a"]}`, `{ b?: string; a: number }`},
		{`{"properties":{"a":{"type":"string"},"a":{"type":"number"}}}`, `{ a?: number }`},
		{`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"},"required":["a"]}`, `{ a: string; [key: string]: string }`},
		{`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`, `{ a?: string; [key: string]: number | string | undefined }`},
		{`{"properties":{"a":{"type":"string"}},"additionalProperties":true}`, `{ a?: string; [key: string]: unknown }`},
		{`{"type":"object","unevaluatedProperties":{"type":"string"}}`, `{ [key: string]: string }`},
		// Arrays.
		{`{"type":"array"}`, `unknown[]`},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `[string?]`},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"number"},"minItems":1}`, `[string, ...number[]]`},
		{`{"items":{"anyOf":[{"type":"string"},{"type":"number"}]}}`, `(string | number)[]`},
		// Combinations.
		{`{"allOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"enum":[1]}}}`, `A; A = 1`},
		{`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":{}}}`, `{ a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })`},
		{`{"type":"string","anyOf":[{"const":"a"},{"const":"b"}]}`, `"a" | "b"`},
		{`{"type":"object","oneOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{ a?: unknown } | { b?: unknown }`},
		{`{"anyOf":[{"type":"string"},true]}`, `unknown`},
		{`{"oneOf":[{"type":"string"},false]}`, `string`},
		{`{"not":{}}`, `never`},
		{`{"not":{"type":["string","object"]}}`, `number | boolean | unknown[] | null`},
		{`{"not":{"type":"integer"}}`, `unknown`},
		{`{"enum":["a","b"],"not":{"const":"a"}}`, `"b"`},
		// References.
		{`{"$ref":"#/$defs/S","$defs":{"S":{"type":"string"}}}`, `string`},
		{`{"properties":{"me":{"$ref":"#"}}}`, `{ me?: Root }`},
		{`{"anyOf":[{"properties":{"x":{"$ref":"#/anyOf/0"}}},{"type":"null"}]}`, `Part | null; Part = { x?: Part }`},
		{`{"properties":{"a":{"$dynamicRef":"#node"},"b":{"$recursiveRef":"#"}},"$dynamicAnchor":"node"}`, `{ a?: Root; b?: Root }`},
		{`{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"null"}]}`, `Root[] | null`},
		{`{"prefixItems":[{"type":"string"}],"items":{"$ref":"#"}}`, `[string?, ...Root[]]`},
		// The compiler refuses a name within an optional element of an element.
		{`{"prefixItems":[{"prefixItems":[{"$ref":"#"}],"items":false}],"items":false}`, `[[(unknown /* the schema refers only to itself */)?]?]`},
		{`{"anyOf":[{"$ref":"#"},{"type":"string"}]}`, `unknown /* the schema refers only to itself */ | string`},
		{`{"$ref":7}`, `unknown /* $ref is not a reference */`},
		{`{"$ref":"#/enum/0","enum":["x"]}`, `"x" /* not a schema */`},
		{`{"properties":{"$ref":{"type":"string"}}}`, `{ $ref?: string }`},
		{`{"properties":{"default":{"$ref":"#/$defs/T"}},"$defs":{"T":{"enum":[1]}}}`, `{ default?: T }; T = 1`},
	}
	for _, tt := range tests {
		if got := typeOf(t, tt.schema); got != tt.want {
			t.Errorf("schema %s\n got %s\nwant %s", tt.schema, got, tt.want)
		}
	}
}

// A required property with a default stays required, since the validator refuses
// a call without it.
func TestRequiredWinsOverDefault(t *testing.T) {
	c, err := convert([]byte(`{"properties":{"a":{"type":"string","default":"x"}},"required":["a"]}`), "Root", kindObject, newNamer().pick)
	if err != nil {
		t.Fatal(err)
	}
	if f := c.order[0].typ.props[0]; f.optional || fmt.Sprint(f.doc) != `[[default "x"]]` {
		t.Errorf("property is %+v", f)
	}
}

// No part of a schema that is at fault takes the rest with it.
func TestFaultyPartsStayAlone(t *testing.T) {
	for _, bad := range []string{
		`null`, `[]`, `"x"`, `{"type":{}}`, `{"enum":{}}`, `{"anyOf":{}}`, `{"$ref":"#/x"}`, `{"$ref":"http://h/x"}`,
		`{"properties":[]}`, `{"required":{}}`, `{"items":7}`, `{"prefixItems":{}}`, `{"patternProperties":[]}`, `{"allOf":7}`,
	} {
		got := typeOf(t, `{"properties":{"good":{"type":"string"},"bad":`+bad+`,"also":{"type":"number"}}}`)
		if !strings.HasPrefix(got, "{ good?: string; bad?: ") || !strings.HasSuffix(got, "; also?: number }") {
			t.Errorf("%s gave %s", bad, got)
		}
	}
}
