package script

import (
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// typescript is JavaScript that esbuild made of a source.
type typescript struct {
	input  string // what esbuild read
	output string // what it wrote
	vlq    string // the mappings of its source map, made when a position is asked for
	// base is where the body begins in output.
	base int
	// wrapAt is where the wrapper was put into the source, and wrap what was put
	// there: empty if nothing was.
	wrapAt int
	wrap   string
}

// source leads an offset of the body back to the source.
func (t *typescript) source(offset int) int {
	if t.vlq == "" {
		res := esbuild(t.input, api.SourceMapExternal)
		t.vlq = mappings(res.Map)
	}
	at, ok := lookup(t.vlq, t.output, t.input, t.base+offset)
	if !ok {
		return 0
	}
	return t.unwrap(at)
}

// unwrap leads an offset of the input back to the source.
func (t *typescript) unwrap(offset int) int {
	if offset > t.wrapAt {
		offset = max(t.wrapAt, offset-len(t.wrap))
	}
	return offset
}

// emptyImports matches what is left of imports of types only, and of the semicolons
// behind them.
var emptyImports = regexp.MustCompile(`^(?:import \{\s*\} from "[^"\n]*"(?: with \{[^\n]*\})?;\n|;\n)+`)

// printed is how esbuild prints the wrapper.
const (
	printedOpening = "async () => {\n"
	printedClosing = "};\n"
)

// neverTypes matches what V8 refuses whatever the types: esbuild would find the same,
// and look for more of it.
var neverTypes = regexp.MustCompile(`Too many (parameters|arguments)|Rest parameter must be last|Duplicate parameter|has already been declared`)

// fromTypeScript prepares what V8 refused as JavaScript. The refusal is the
// answer when it is no TypeScript either.
func (p Prepared) fromTypeScript(engine Engine, t tokens, refusal *Refusal) (Prepared, *SyntaxError) {
	if strings.HasPrefix(refusal.Message, "RangeError") || t.deep {
		return p, p.tooDeep(t)
	}
	if neverTypes.MatchString(refusal.Message) {
		return p, p.refused(refusal)
	}
	if t.unclosed > 0 {
		return p, p.errorAt(t.unclosed-1, "SyntaxError: Unterminated template literal", "a ` opens a template here, and none closes it")
	}
	wrapped := t.returns || !t.sure
	made, failure := transform(p.clean, wrapped, t)
	if failure != nil && !wrapped { // a return beside an await needs a function around it
		if again, err := transform(p.clean, true, t); err == nil {
			made, failure, wrapped = again, nil, true
		}
	}
	if failure != nil {
		return p, p.refusedAll(refusal, failure)
	}
	q := p
	q.ts = made
	body := made.output
	if wrapped {
		made.base = len(emptyImports.FindString(body))
		inner, ok := strings.CutPrefix(body[made.base:], printedOpening)
		if !ok || !strings.HasSuffix(inner, printedClosing) {
			return p, p.importRemains(t, refusal)
		}
		body = inner[:len(inner)-len(printedClosing)]
		made.base += len(printedOpening)
	}
	return q.fromJavaScript(engine, body)
}

// fromJavaScript prepares what esbuild made.
func (q Prepared) fromJavaScript(engine Engine, body string) (Prepared, *SyntaxError) {
	switch s := scan(body); {
	case !s.sure || !s.balanced:
	case s.returns:
		if refusal := q.compile(engine, body, nil); refusal != nil {
			return q, q.refused(refusal)
		}
		return q, nil
	case q.returnTail(engine, body, s):
		return q, nil
	}
	o, err := parse(engine, body)
	if err != nil {
		return q, &SyntaxError{Message: "the script can't be parsed: " + err.Error()}
	}
	if o.Error != "" {
		if refusal := q.compile(engine, body, nil); refusal != nil {
			return q, q.refused(refusal)
		}
		return q, q.errorAt(q.lead(body, o.Pos), "SyntaxError: "+o.Error, "")
	}
	return q.shaped(engine, body, o)
}

// importRemains is the error of an import that is no type, beside a return.
func (p *Prepared) importRemains(t tokens, refusal *Refusal) *SyntaxError {
	if t.importAt < t.importsEnd {
		return p.errorAt(t.importAt, "SyntaxError: scripts can't import modules", importHint)
	}
	return p.refused(refusal)
}

// tsconfig keeps every import that is not marked as a type, so that a real one
// can be refused by name.
const tsconfig = `{"compilerOptions":{"verbatimModuleSyntax":true,"useDefineForClassFields":true}}`

// failure is why esbuild does not take a source.
type failure struct {
	text   string
	offset int // in the source, -1 if unknown
}

// transform runs esbuild. The source must have been scanned: its nesting bounds
// esbuild's stack.
func transform(source string, wrapped bool, t tokens) (*typescript, *failure) {
	out := &typescript{input: source}
	if wrapped {
		// Imports and the word "export" can't stand in a function.
		out.wrapAt, out.wrap = t.importsEnd, opening
		if t.importsEnd > 0 {
			out.wrap = ";" + opening
		}
		out.input = source[:t.importsEnd] + out.wrap + blankAt(source, t.importsEnd, t.exports) + closing
	}
	res := esbuild(out.input, api.SourceMapNone)
	if len(res.Errors) > 0 {
		e := res.Errors[0]
		f := &failure{text: e.Text, offset: -1}
		if e.Location != nil {
			f.offset = out.unwrap(offsetAt(out.input, e.Location.Line, 1) + e.Location.Column)
		}
		return nil, f
	}
	out.output = string(res.Code)
	return out, nil
}

// esbuild runs in a goroutine of its own: the worker's is locked to V8's thread,
// and each hand-over between it and esbuild's goroutines would be one between
// threads.
func esbuild(input string, sourceMap api.SourceMap) (res api.TransformResult) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		res = api.Transform(input, api.TransformOptions{
			Loader:         api.LoaderTS,
			Target:         api.ESNext,
			Sourcemap:      sourceMap,
			SourcesContent: api.SourcesContentExclude,
			LegalComments:  api.LegalCommentsNone, // they would stand behind the wrapper
			TsconfigRaw:    tsconfig,
			LogLevel:       api.LogLevelSilent,
			Charset:        api.CharsetUTF8,
		})
	}()
	<-done
	return res
}

// blankAt gives source[from:] with the words at the offsets made spaces.
func blankAt(source string, from int, words []int) string {
	if len(words) == 0 {
		return source[from:]
	}
	b := []byte(source[from:])
	for _, at := range words {
		for i := at - from; i >= 0 && i < len(b) && identPart(b[i]); i++ {
			b[i] = ' '
		}
	}
	return string(b)
}
