package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	const s = `{"type":"object","additionalProperties":false,"required":["path"],"properties":{
		"path":{"type":"string","pattern":"^(?!/etc).*"},"limit":{"type":"integer","minimum":1},
		"mode":{"enum":["fast","slow"]},
		"o":{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"n":{"type":"number"}}}}}},
		"since":{"type":["string","null"]}}}`
	c, err := Compile(json.RawMessage(s))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ in, want string }{
		{`{"path":"a","limit":2,"since":null}`, ""},
		{`{}`, `missing "path" (string)`},
		{`{"path":"a","limt":2}`, `unknown "limt" (did you mean "limit"?); known: limit, mode, o, path, since`},
		{`{"path":7}`, `path must be string, got number (7)`},
		{`{"path":"a","limit":1.5}`, `limit must be integer, got number (1.5)`},
		{`{"path":"a","limit":0}`, `limit must be at least 1, got 0`},
		{`{"path":"/etc/passwd"}`, `path must match the pattern `},
		{`{"path":"a","mode":"medium"}`, `mode must be one of "fast", "slow", got "medium"`},
		{`{"path":"a","o":"{\"list\":[]}"}`, `o must be object, got string (a JSON string: pass the value itself`},
		{`{"path":"a","o":{"list":[{"n":1},{"n":"x"}]}}`, `o.list[1].n must be number, got string ("x")`},
		{`{"path":"a","o":{"list":[{"m":1}]}}`, `o.list[0]: unknown "m" (did you mean "n"?)`},
		{`{"path":null}`, `path must be string, got null`},
		{`[]`, `the value must be object, got array`},
		{`{"path":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, `nests deeper than 256`},
	}
	for _, tt := range tests {
		got := strings.Join(c.Validate(json.RawMessage(tt.in)), "; ")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%.60s: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, s := range map[string]string{
		"remote ref": `{"$ref":"https://example.com/x.json"}`,
		"file ref":   `{"$ref":"file:///etc/passwd"}`,
		"dangling":   `{"$ref":"#/$defs/none"}`,
		"not JSON":   `{`,
		"too deep":   strings.Repeat(`{"not":`, 300) + "true" + strings.Repeat("}", 300),
		"too large":  `{"description":"` + strings.Repeat("x", maxSchemaBytes) + `"}`,
	} {
		if _, err := Compile(json.RawMessage(s)); err == nil {
			t.Errorf("%s: compiled", name)
		}
	}
}

func TestSlowPatternPasses(t *testing.T) {
	c, err := Compile(json.RawMessage(`{"type":"string","pattern":"^(a+)+$"}`))
	if err != nil {
		t.Fatal(err)
	}
	in, _ := json.Marshal(strings.Repeat("a", 40) + "!")
	if got := c.Validate(in); got != nil {
		t.Errorf("a pattern that takes too long was counted as a violation: %v", got)
	}
}

// A kilobyte of references that double at every level costs a bounded amount.
// A pattern that is given up proves nothing.
func TestSlowPatternProvesNothing(t *testing.T) {
	s, err := Compile(json.RawMessage(`{"type":"string","pattern":"(a?){500}(a?){500}b$"}`))
	if err != nil {
		t.Fatal(err)
	}
	value := json.RawMessage(`"` + strings.Repeat("a", 90_000) + `"`)
	if bad := s.Validate(value); bad != nil {
		t.Errorf("Validate: %v", bad)
	}
	if bad := s.Prove(value); len(bad) != 1 || !strings.Contains(bad[0], "takes too long") {
		t.Errorf("Prove: %v", bad)
	}
	if bad := s.Prove(json.RawMessage(`"b"`)); bad != nil {
		t.Errorf("after it: %v", bad)
	}
}

func TestCostlySchema(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/a0","$defs":{"a40":{"type":"string"}`)
	for i := range 40 {
		fmt.Fprintf(&b, `,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i+1, i+1)
	}
	b.WriteString("}}")
	c, err := Compile(json.RawMessage(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Validate(json.RawMessage(`"x"`)); len(got) != 1 || !strings.Contains(got[0], "takes too long") {
		t.Errorf("got %v", got)
	}
	slow, err := Compile(json.RawMessage(`{"items":{"pattern":"^(a+)+$"}}`))
	if err != nil {
		t.Fatal(err)
	}
	in, _ := json.Marshal(slices.Repeat([]string{strings.Repeat("a", 40) + "!"}, 200))
	slow.Validate(in) // 200 x 50 ms without a budget for the whole
}
