package script

import (
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	tests := []struct {
		source   string
		sure     bool
		balanced bool
		returns  bool
		tail     string
	}{
		{"return 1", true, true, true, "return 1"},
		{"if (x) { return 1 }", true, true, true, "if (x) { return 1 }"},
		{"for await (const x of y) { return x }", true, true, true, "for await (const x of y) { return x }"},
		{"try { } catch { return 1 }", true, true, true, "try { } catch { return 1 }"},
		{"() => { return 1 }", true, true, false, "() => { return 1 }"},
		{"[1].map(x => { return x })", true, true, false, "[1].map(x => { return x })"},
		{"a.return; b", true, true, false, "b"},
		{"'return'; `return ${`}`}`", true, true, false, "`return ${`}`}`"},
		{"/return[/}]/.test(x)", true, true, false, "/return[/}]/.test(x)"},
		{"const a = 1 / 2\na / 3", true, true, false, "a / 3"},
		{"const f = g\n(1)", true, true, false, "const f = g\n(1)"},
		{"if (a)\n  b()", true, true, false, "if (a)\n  b()"},
		{"a // }\n/* } */ b", true, true, false, "b"},
		{"a(); // done", true, true, false, "a()"},
		{"async function f() {}\nf()", true, true, false, "f()"},
		{"async function f() {}", true, true, false, ""},
		{"{ a: 1 }", true, true, false, ""},
		{"module.exports = 1", true, true, false, ""},
		{"}) ; (", true, false, false, ""},
		{"( ]", true, false, false, ""},
		{"x = {} / 2", false, true, false, ""},
		{"'open", false, true, false, ""},
		{"`open ${", true, false, false, "`open ${"},
	}
	for _, tt := range tests {
		got := scan(tt.source)
		tail := tt.source[got.tail:got.tailEnd]
		if got.sure != tt.sure || tt.sure && (got.balanced != tt.balanced || got.returns != tt.returns) || tt.sure && tt.balanced && tail != tt.tail {
			t.Errorf("%q: %+v, tail %q", tt.source, got, tail)
		}
	}
}

func TestScanIsBounded(t *testing.T) {
	for _, unit := range []string{"(", "[", "{", "`${", "!", "a=", "x=>", "if(1)", "a?b:", "A<", "-", "a.b?."} {
		if !scan(strings.Repeat(unit, 10000)).deep {
			t.Errorf("ten thousand %q are not too deep", unit)
		}
	}
	for _, flat := range []string{"a(1);\n", "a = b + c\n", "const f = (x) => { x }\n", "[1, {a: 2}],", "x => x, ", "if (a) { b() } "} {
		if scan(strings.Repeat(flat, 10000)).deep {
			t.Errorf("ten thousand %q are too deep", flat)
		}
	}
}

func TestImportsAndExports(t *testing.T) {
	source := "import type {A} from 'a'\nimport b from \"b\";\nexport interface C {}\nreturn 1"
	got := scan(source)
	if source[got.importAt:got.importsEnd] != "import type {A} from 'a'\nimport b from \"b\";" {
		t.Errorf("%+v", got)
	}
	if len(got.exports) != 1 || !strings.HasPrefix(source[got.exports[0]:], "export interface") {
		t.Errorf("%+v", got)
	}
	if got := scan("import('x'); f('y')"); got.importsEnd != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPositionsAcrossEdits(t *testing.T) {
	body := "ab\ncd ef"
	edits := []edit{{3, 3, "return ("}, {5, 5, ")"}, {8, 8, "\nreturn main"}}
	text := apply(body, edits)
	for i := range body {
		at := strings.IndexByte(text, body[i])
		if body[i] == 'e' { // "return" has one too
			at = strings.LastIndex(text, "ef\nreturn")
		}
		if body[i] == '\n' || body[i] == ' ' {
			continue
		}
		if got := unapply(edits, at); got != i {
			t.Errorf("%q in %q leads to %d, want %d", body[i], text, got, i)
		}
	}
	for _, s := range []string{"a\nb", "a\r\nb", "a\rb", "a\u2028b", "é\n𝒳b"} {
		at := strings.IndexByte(s, 'b')
		line, _ := position(s, at)
		if line != 2 {
			t.Errorf("%q: b is in line %d", s, line)
		}
		l, column := units16(s, at)
		if got := offsetAt(s, l, column); got != at {
			t.Errorf("%q: %d:%d is at %d, want %d", s, l, column, got, at)
		}
	}
}

// units16 gives the line and the column as V8 counts, from 1.
func units16(s string, at int) (line, column int) {
	line, column = 1, 1
	for i := 0; i < at; {
		if n := lineEnd(s[i:]); n > 0 {
			line, column = line+1, 1
			i += n
			continue
		}
		for _, r := range s[i:] {
			column += width16(r)
			i += len(string(r))
			break
		}
	}
	return line, column
}

// anything is an engine that takes every source: what Prepare does before and
// after the engine must hold for all input.
type anything struct{ refuse bool }

func (e anything) Compile(code string) *Refusal {
	if e.refuse {
		return &Refusal{Message: "SyntaxError: no", Line: 1 + strings.Count(code, "\n")/2, Column: 7}
	}
	return nil
}

func (e anything) Outline(source string) (string, error) {
	return `{"form":"value","call":true,"edits":[{"at":0,"end":1,"text":"return ("},{"at":99,"end":100,"text":")"}]}`, nil
}

func FuzzPrepare(f *testing.F) {
	for _, s := range []string{"return 1", "```js\n1\n```", "#!x\n1", "const a: number = 1; return a", "export default 1", "import type {A} from 'a'\nreturn 1",
		"'\\", "`${`${", "/[/]/", "\ufeff\u2028x", "a\r\nb", "}/x/", "<div/>", "@d class {}", "((((", "enum A { B }\nA.B"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, source string, refuse bool) {
		if len(source) > 10_000 {
			return // esbuild's time is not what is tested
		}
		p, failure := Prepare(source, anything{refuse: refuse})
		if failure != nil {
			if failure.Message == "" || failure.Line < 0 || failure.Column < 0 {
				t.Fatalf("%+v", failure)
			}
			return
		}
		if !strings.HasPrefix(p.Code, opening) || !strings.HasSuffix(p.Code, closing) {
			t.Fatalf("not wrapped: %q", p.Code)
		}
		pos := p.Locate("Error: x\n    at f (script.js:2:3)\n    at codemode:script:1:11\n    at script.js:0:99999", "b")
		if lines := strings.Count(p.source, "\n") + strings.Count(p.source, "\r") + strings.Count(p.source, "\u2028") + strings.Count(p.source, "\u2029") + 1; pos.Line > lines {
			t.Fatalf("line %d of %d", pos.Line, lines)
		}
	})
}
