package script

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const importHint = "there are no modules in a script: call the tools (await tools.<server>.<tool>({...})), and use import type for types"

func quoteModule(name string) string { return strconv.Quote(name) }

// refused words V8's message for a code that does not compile.
func (p *Prepared) refused(r *Refusal) *SyntaxError {
	if strings.HasPrefix(r.Message, "RangeError") {
		return p.tooDeep(tokens{})
	}
	if r.Line < 1 {
		return &SyntaxError{Message: r.Message}
	}
	at := p.author(r.Line, r.Column)
	return p.errorAt(at, r.Message, p.advice(r.Message, at))
}

// refusedAll words the errors of a source that is neither JavaScript nor
// TypeScript. The parser that came further knows the language.
func (p *Prepared) refusedAll(r *Refusal, f *failure) *SyntaxError {
	e := p.refused(r)
	at := 0
	if r.Line > 0 {
		at = p.author(r.Line, r.Column)
	}
	for _, known := range []string{"JSX", "leave the tag", "the script is escaped"} {
		if strings.HasPrefix(e.Hint, known) {
			return e
		}
	}
	if f.offset >= 0 && f.offset > at+1 && !strings.Contains(r.Message, "import") {
		return p.errorAt(f.offset, "SyntaxError: "+f.text, p.advice(f.text, f.offset))
	}
	if e.Hint == "" {
		e.Hint = p.advice(f.text, f.offset)
	}
	return e
}

// TooDeep is the error of a script that V8 refuses when it is called.
func (p *Prepared) TooDeep() *SyntaxError { return p.tooDeep(tokens{}) }

// tooDeep is the error of a source that nests too deeply for a parser.
func (p *Prepared) tooDeep(t tokens) *SyntaxError {
	const hint = "build the value step by step, or pass it in arguments"
	if t.deep {
		return p.errorAt(t.deepAt, "SyntaxError: the script nests too deeply", hint)
	}
	return &SyntaxError{Message: "SyntaxError: the script nests too deeply", Hint: hint}
}

var (
	// htmlEscape matches what a program that went through HTML has.
	htmlEscape = regexp.MustCompile(`^&(?:gt|lt|amp|quot|apos|#\d{1,4}|#x[0-9a-fA-F]{1,4});`)
	// markupTag matches the tags that a program is wrapped in.
	markupTag = regexp.MustCompile(`^</?(?:code|script|pre|javascript|js|typescript|program|execute_script)\b[^>\n]{0,40}>`)
)

// advice says what to do about a syntax error: from the message, or from what
// stands where it happened.
func (p *Prepared) advice(message string, at int) string {
	rest := ""
	if at >= 0 && at < len(p.source) {
		rest = p.source[at:]
	}
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case strings.Contains(message, "import statement") || strings.Contains(message, "import.meta") || strings.HasPrefix(rest, "import "):
		return importHint
	case strings.Contains(message, "'export'") || strings.HasPrefix(rest, "export "):
		return "scripts are no modules: end the script with return, or with one export default"
	case strings.HasPrefix(rest, "@"):
		return "decorators are not supported: write the class without them"
	case htmlEscape.MatchString(rest):
		return "the script is escaped for HTML (" + htmlEscape.FindString(rest) + "): send the character itself"
	case (strings.Contains(message, "unexpected token") || strings.Contains(message, "Syntax error")) &&
		(strings.HasPrefix(rest, `\`) || at > 0 && at <= len(p.source) && p.source[at-1] == '\\'):
		return `a backslash stands outside of a string: the script was escaped twice, so send real line ends and quotes instead of \n and \"`
	case markupTag.MatchString(rest):
		return "leave the tag " + markupTag.FindString(rest) + " out: send the program alone"
	case strings.HasPrefix(rest, "<") && len(rest) > 1 && (identPart(rest[1]) || rest[1] == '>' || rest[1] == '/'):
		return "JSX is not supported: build the value with functions and strings"
	case strings.Contains(message, "Unexpected identifier") && (lineHas(p.source, at, "namespace ") || lineHas(p.source, at, "module ")):
		return "namespaces are not supported: write an object, or plain functions"
	case strings.Contains(message, "Unexpected identifier") && lineHas(p.source, at, "using "):
		return "using is not supported: write try and finally"
	case strings.Contains(message, "await is only valid") || strings.Contains(message, `"await" can only be used`):
		return "make the function around the await an async function"
	case strings.ContainsRune("\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb\u2032\u2033", r):
		return "the character " + strconv.QuoteRune(r) + " is a typographic quote: write \" or ' instead"
	case strings.ContainsRune("\u200b\u200c\u200d\u2060\u00ad", r):
		return "there is an invisible character (" + strconv.QuoteRuneToASCII(r) + "): delete it"
	case r == 0x1a:
		return `there is a control character (\x1a): delete it`
	case strings.Contains(message, "already been declared"):
		return "give one of the two another name"
	}
	return ""
}

// lineHas reports whether a word stands right before a place in its line.
func lineHas(source string, at int, word string) bool {
	return at >= len(word) && at <= len(source) && source[at-len(word):at] == word
}
