package sdkgen

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"codemode-mcp/internal/catalog"
)

// maxHostileBytes is what the declaration of one tool may come to: some times
// the largest schema that is read.
const maxHostileBytes = 12 * maxSchemaBytes

// nest repeats an opening and a closing text around a core.
func nest(open, core, shut string, n int) string {
	return strings.Repeat(open, n) + core + strings.Repeat(shut, n)
}

// repeat joins n parts made by f.
func repeat(n int, f func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = f(i)
	}
	return strings.Join(parts, ",")
}

func hostileSchemas() map[string]string {
	object := func(i int) string { return fmt.Sprintf(`{"type":"object","properties":{"p%d":{"type":"string"}}}`, i) }
	return map[string]string{
		"ten megabytes":     `{"description":"` + strings.Repeat("x", 10<<20) + `"}`,
		"a million arrays":  strings.Repeat("[", 1_000_000),
		"a million objects": nest(`{"a":`, "1", "}", 1_000_000)[:maxSchemaBytes],
		"deep and closed":   nest(`{"a":`, "1", "}", 100_000),
		"thousand deep":     nest(`{"type":"object","properties":{"a":`, `{"type":"string"}`, "}}", 1_000),
		"thousand allOf":    nest(`{"allOf":[`, `{"type":"string"}`, "]}", 1_000),
		"thousand not":      nest(`{"not":`, `{"type":"string"}`, "}", 1_000),
		"nested items":      nest(`{"type":"array","items":`, `{}`, "}", 400),
		"nested defaults":   `{"properties":{"a":{"default":` + nest("[", "1", "]", 400) + `}}}`,
		"nested const":      `{"properties":{"a":{"const":` + nest("[", "1", "]", 400) + `}}}`,
		"wide allOf":        `{"allOf":[` + repeat(10_000, object) + `]}`,
		"wide anyOf":        `{"anyOf":[` + repeat(10_000, object) + `]}`,
		"wide properties":   `{"properties":{` + repeat(30_000, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `}}`,
		"wide required":     `{"required":[` + repeat(30_000, func(i int) string { return fmt.Sprintf(`"p%d"`, i) }) + `]}`,
		"wide enum":         `{"properties":{"e":{"enum":[` + repeat(80_000, func(i int) string { return fmt.Sprintf(`"v%d"`, i) }) + `]}}}`,
		"wide tuple":        `{"properties":{"e":{"prefixItems":[` + repeat(30_000, func(int) string { return `{"type":"string"}` }) + `]}}}`,
		"product of unions": `{"allOf":[` + repeat(40, func(i int) string {
			return `{"anyOf":[` + repeat(10, func(j int) string { return object(10*i + j) }) + `]}`
		}) + `]}`,
		"fan-out of refs":   fanOut(`{"type":"object","properties":{"l":%[1]s,"r":%[1]s}}`),
		"fan-out of unions": fanOut(`{"anyOf":[%[1]s,{"type":"array","items":%[1]s},%[1]s]}`),
		"fan-out of allOf":  fanOut(`{"allOf":[%[1]s,%[1]s,{"anyOf":[{"required":["a"]},{"required":["b"]}]}]}`),
		"chain of refs":     `{"$defs":{` + repeat(8_000, func(i int) string { return fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1) }) + `},"properties":{"a":{"$ref":"#/$defs/d0"}}}`,
		"ring of refs": `{"$defs":{` + repeat(500, func(i int) string {
			return fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"type":"null"}]}`, i, (i+1)%500)
		}) + `},"properties":{"a":{"$ref":"#/$defs/d0"}}}`,
		"refs to an enum":    `{"$defs":{"e":{"enum":[` + repeat(20_000, func(i int) string { return fmt.Sprint(i) }) + `]}},"properties":{` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/e"}`, i) }) + `}}`,
		"refs to long prose": `{"$defs":{"s":{"type":"string","description":"` + strings.Repeat("y ", 900) + `"}},"properties":{` + repeat(15_000, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/s"}`, i) }) + `}}`,
		"names of keys":      nest(`{"propertyNames":{"enum":[`+repeat(90, func(i int) string { return fmt.Sprintf(`"k%d"`, i) })+`]},"additionalProperties":`, `{"type":"string"}`, "}", 30),
		"required of keys":   nest(`{"required":[`+repeat(90, func(i int) string { return fmt.Sprintf(`"k%d"`, i) })+`],"additionalProperties":`, `{"type":"string"}`, "}", 30),
		"demands of refs": `{"$ref":"#/$defs/d0","$defs":{` + repeat(60, func(i int) string {
			return fmt.Sprintf(`"d%d":{"anyOf":[%s]}`, i, repeat(60, func(int) string { return fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1) }))
		}) + `,"d60":{"required":["a"]}}}`,
		"long number":   `{"properties":{"n":{"const":1` + strings.Repeat("0", 100_000) + `}}}`,
		"long ids":      `{"$id":"http://a/` + strings.Repeat("b/", 10_000) + `","properties":{` + repeat(200, func(i int) string { return fmt.Sprintf(`"p%d":{"$id":"x%d","$ref":"../y"}`, i, i) }) + `}}`,
		"one huge name": `{"properties":{"` + strings.Repeat("n", 900_000) + `":{"type":"string"}}}`,
	}
}

// fanOut is 60 definitions of which each refers to the next more than once.
func fanOut(shape string) string {
	return `{"$ref":"#/$defs/d0","$defs":{` + repeat(60, func(i int) string {
		return fmt.Sprintf(`"d%d":`+shape, i, fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1))
	}) + `,"d60":{"type":"object"}}}`
}

func TestHostileSchemasCostABoundedAmount(t *testing.T) {
	good := &catalog.Tool{Server: "s", Name: "zz_good", InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)}
	for name, schema := range hostileSchemas() {
		t.Run(name, func(t *testing.T) {
			bad := &catalog.Tool{Server: "s", Name: "bad", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}
			got := Declarations([]*catalog.Tool{bad, good}, nil)
			if len(got) > 2*maxHostileBytes {
				t.Errorf("%d bytes of schema gave %d bytes of declarations", len(schema), len(got))
			}
			if err := wellFormed(got); err != nil {
				t.Error(err)
			}
			if !strings.Contains(got, "zz_good: Tool<ZzGoodArgs, unknown>;") || !strings.Contains(got, "type ZzGoodArgs = { q: string };") {
				t.Error("the tool beside it has lost its types")
			}
			if s := Signature(bad, 200); len(s) > 200 {
				t.Errorf("signature has %d bytes", len(s))
			}
		})
	}
}

func TestFileIsBounded(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"e":{"enum":[` + repeat(200, func(i int) string {
		return fmt.Sprintf(`"%d%s"`, i, strings.Repeat("x", 4_000))
	}) + `]}}}`)
	var tools []*catalog.Tool
	for i := range 40 {
		tools = append(tools, &catalog.Tool{Server: "s", Name: fmt.Sprintf("t%02d", i), InputSchema: schema})
	}
	got := Declarations(tools, nil)
	if len(got) > maxFileBytes+maxHostileBytes {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "t39: OptionalTool<{ [key: string]: unknown }, unknown> /* not typed: ") {
		t.Error("the last tool is not declared in short")
	}
}

func TestUnreadableSchemaSpoilsOnlyItsTool(t *testing.T) {
	for _, schema := range []string{`{`, `{"type":"object"} x`, `{"a":1,}`, `nul`, `{"type":"object","properties":{"a":`} {
		tool := &catalog.Tool{Server: "s", Name: "t", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}
		got := Declaration(tool, nil)
		for _, want := range []string{
			"type TArgs = { [key: string]: unknown } /* the input schema can't be read: it is not valid JSON: ",
			"type TResult = unknown /* the output schema can't be read: it is not valid JSON: ",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("schema %s: want %q in\n%s", schema, want, got)
			}
		}
	}
}
