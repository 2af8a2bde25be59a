package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestExactIntegers(t *testing.T) {
	const schema = `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"n":{"type":["number","null"]},
		"both":{"type":["integer","string"]},"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}}}`
	for args, want := range map[string]string{
		`{"id":"9007199254740993","name":"9007199254740993"}`: `{"id":9007199254740993,"name":"9007199254740993"}`,
		`{"n":"-12345678901234567890"}`:                       `{"n":-12345678901234567890}`,
		`{"list":[{"id":"9007199254740993"},{"id":1}]}`:       `{"list":[{"id":9007199254740993},{"id":1}]}`,
		`{"id":"12"}`: `{"id":"12"}`,
		`{"both":"9007199254740993","id":"0009007199254740993"}`: `{"both":"9007199254740993","id":"0009007199254740993"}`,
		`{"id":"9007199254740993x","other":"9007199254740993"}`:  `{"id":"9007199254740993x","other":"9007199254740993"}`,
		`[`: `[`,
	} {
		if got, _ := ExactIntegers([]byte(schema), []byte(args)); string(got) != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}

// Alternatives and references, as generators write an optional integer.
func TestExactIntegersBehindAlternatives(t *testing.T) {
	const big = `"9007199254740993"`
	for schema, turned := range map[string]bool{
		`{"anyOf":[{"type":"integer"},{"type":"null"}]}`:    true,
		`{"anyOf":[{"type":"integer"},{"type":"string"}]}`:  false,
		`{"anyOf":[{"type":"integer"},{}]}`:                 false,
		`{"type":["integer","null"]}`:                       true,
		`{"$ref":"#/$defs/id"}`:                             true,
		`{"$ref":"#/$defs/loop"}`:                           false,
		`{"$ref":"https://example.com/x"}`:                  false,
		`{"allOf":[{"type":"integer"}]}`:                    true,
		`{"oneOf":[{"$ref":"#/$defs/id"},{"type":"null"}]}`: true,
		`{"Type":"integer"}`:                                false,
		`{"type":"integer","anyOf":[{"type":"integer"}]}`:   true,
		`{}`: false,
	} {
		in := json.RawMessage(`{"x":` + big + `,"list":[` + big + `],"map":{"k":` + big + `}}`)
		whole := `{"$defs":{"id":{"type":"integer"},"loop":{"$ref":"#/$defs/loop"}},"properties":{"x":` + schema + `,"list":{"items":` + schema + `},"map":{"additionalProperties":` + schema + `}}}`
		want := string(in)
		if turned {
			want = `{"list":[9007199254740993],"map":{"k":9007199254740993},"x":9007199254740993}`
		}
		if out, got := ExactIntegers(json.RawMessage(whole), in); got != turned || string(out) != want {
			t.Errorf("%s: got %v, %s", schema, got, out)
		}
	}
}

// A large schema is read once, not once for each of many elements.
func TestExactIntegersIsLinear(t *testing.T) {
	var schema, args strings.Builder
	schema.WriteString(`{"properties":{"list":{"items":{"properties":{`)
	for i := range 5000 {
		fmt.Fprintf(&schema, `"p%d":{"type":"string","description":"words"},`, i)
	}
	schema.WriteString(`"n":{"type":"integer"}}}}}}`)
	args.WriteString(`{"list":[`)
	for range 50_000 {
		args.WriteString(`{"n":"9007199254740993"},`)
	}
	args.WriteString(`{"n":"9007199254740993"}]}`)
	allocs := testing.AllocsPerRun(1, func() {
		if _, ok := ExactIntegers(json.RawMessage(schema.String()), json.RawMessage(args.String())); !ok {
			t.Error("nothing was turned")
		}
	})
	if allocs > 2_000_000 {
		t.Errorf("%.0f allocations", allocs)
	}
}
