package script

import (
	"strings"
	"unicode/utf8"
)

// tokens is what one pass over the tokens of a source proves about it.
type tokens struct {
	// sure is false when a token could not be told from another without a tree,
	// such as a regular expression from a division after "}". Nothing else here
	// counts then.
	sure bool
	// balanced: every bracket closes what it should, so that the source can't
	// leave the function around it.
	balanced bool
	// returns: there is a return statement outside every function and class.
	returns bool
	// deep: the source nests deeper than maxNesting, counted generously.
	deep bool
	// deepAt is the byte offset where it does.
	deepAt int
	// importAt and importsEnd hold the import declarations at the head of the
	// source; both are 0 without one.
	importAt, importsEnd int
	// tail and tailEnd hold the last statement, when its begin is certain and it
	// may be an expression; tailEnd is 0 otherwise.
	tail, tailEnd int
	// begin and end hold all tokens but a ";" at the end.
	begin, end int
	// mute: the last statement certainly is none that has a value, such as a loop.
	mute bool
	// generator: "function*" is in the source.
	generator bool
	// typeCall: "f<...>(" may be in the source. JavaScript reads it as two
	// comparisons, TypeScript as a call with types.
	typeCall bool
	// fence: a line begins with a Markdown fence, and not in a string or a comment.
	fence bool
	// tagged: that fence is of backticks. It is no program: JavaScript reads it as an
	// empty text that is called as a function.
	tagged bool
	// unclosed is behind the "`" of a template that does not end; 0 without one.
	unclosed int
	// exports are the offsets of the word "export" before a declaration, outside
	// every bracket.
	exports []int
}

const (
	// maxNesting bounds how deep a source may nest before a recursive parser in
	// Go sees it: a Go stack overflow can't be recovered.
	maxNesting = 800
	// maxOpen ends the scan: no parser takes as much, and the list of what is open
	// must not fill the memory.
	maxOpen = 50_000
	// maxChain bounds the operators, calls and unbraced statements that can stand
	// within each other without a bracket, such as !!!!x or a=b=c.
	maxChain = 4000
	// arrowWeight is what an arrow counts in a chain: esbuild's time grows with
	// the cube of arrows within arrows (1,900 of them take it 40 s).
	arrowWeight = 20
)

// bracket is one open bracket.
type bracket struct {
	char byte
	// block: a "{" of if, for, try and their like, which is no function.
	block bool
	// control: a "(" of if, for, while, with, switch or catch; what follows its
	// end is a statement.
	control bool
	chain   int
	at      int // of the template that "${" is in
}

// scanner walks over the tokens. It knows just enough of the language to skip
// what is inside strings, templates, regular expressions and comments.
type scanner struct {
	src   string
	pos   int
	open  []bracket
	prev  string // the last token, "" at the start; for literals "0"
	prev2 string
	// value: the last token ends an expression, so that "/" divides.
	value   bool
	closed  bracket // the last bracket that was closed
	newline bool    // a line ended since the last token
	chain   int
	// head: only import declarations have come so far.
	head      bool
	importing bool // within one, before its module's name
	wordAt    int  // where the last word began
	// templateAt is behind the "`" that the template began with.
	templateAt int
	angle      bool // a "<" came that types may begin with
	statement  statement
	out        tokens
}

func scan(source string) tokens {
	s := scanner{src: source, newline: true, head: true, out: tokens{sure: true, balanced: true}}
	for s.out.sure && s.step() {
	}
	if len(s.open) > 0 {
		s.out.balanced = false
	}
	s.out.end = s.statement.end
	s.out.mute = muteWords[s.statement.first]
	if s.statement.expression() {
		s.out.tail, s.out.tailEnd = s.statement.at, s.statement.end
	}
	return s.out
}

// step takes one token. It reports whether there may be more.
func (s *scanner) step() bool {
	if s.pos >= len(s.src) {
		return false
	}
	rest := s.src[s.pos:]
	c := rest[0]
	switch {
	case c == '\n' || c == '\r':
		s.newline = true
		s.pos++
		return true
	case c == ' ' || c == '\t' || c == '\v' || c == '\f':
		s.pos++
		return true
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "<!--"), s.newline && strings.HasPrefix(rest, "-->"):
		s.lineComment()
		return true
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			s.out.sure = false
			return false
		}
		s.newline = s.newline || strings.ContainsAny(rest[:end+2], "\n\r")
		s.pos += end + 4
		return true
	}
	if len(s.open) == 0 {
		s.boundary(rest)
	}
	if s.newline && isFence(rest) {
		s.out.fence, s.out.tagged = true, s.out.tagged || c == '`'
	}
	switch {
	case c == '"' || c == '\'':
		s.quoted(c)
	case c == '`':
		s.pos++
		s.templateAt = s.pos
		s.template()
	case c == '/':
		s.slash()
	case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		s.pos++
		for s.pos < len(s.src) && (identPart(s.src[s.pos]) || s.src[s.pos] == '.') {
			s.pos++
		}
		s.token("0", true)
	case identPart(c) || c == '\\' || c == '#':
		s.word()
	default:
		s.punctuation(c)
	}
	return true
}

func identPart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// lineComment skips to the line's end; JavaScript knows four of them.
func (s *scanner) lineComment() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\n' || c == '\r':
			return
		case c == 0xE2 && (strings.HasPrefix(s.src[s.pos:], "\u2028") || strings.HasPrefix(s.src[s.pos:], "\u2029")):
			s.newline = true
			s.pos += len("\u2028")
			return
		}
		s.pos++
	}
}

func (s *scanner) quoted(q byte) {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case q:
			s.pos = i + 1
			s.token("0", true)
			return
		case '\n':
			s.out.sure = false
			return
		}
	}
	s.out.sure = false
}

// template goes on inside a template, to its end or its next "${".
func (s *scanner) template() {
	for i := s.pos; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '`':
			s.pos = i + 1
			s.token("0", true)
			return
		case '$':
			if strings.HasPrefix(s.src[i:], "${") {
				s.pos = i + 2
				s.push(bracket{char: '`', at: s.templateAt})
				s.token("${", false)
				return
			}
		}
	}
	s.out.sure, s.out.unclosed = false, s.templateAt
}

// slash is a division or a regular expression.
func (s *scanner) slash() {
	if s.prev == "}" || s.prev == "of" || s.prev == "yield" { // only a tree can tell
		s.out.sure = false
		return
	}
	if s.value {
		s.pos++
		s.token("/", false)
		return
	}
	class := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\\':
			i++
		case c == '\n' || c == '\r':
			s.out.sure = false
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(s.src) && identPart(s.src[i]); i++ {
			}
			s.pos = i
			s.token("0", true)
			return
		}
	}
	s.out.sure = false
}

func (s *scanner) word() {
	start := s.pos
	for s.pos++; s.pos < len(s.src) && (identPart(s.src[s.pos]) || s.src[s.pos] == '\\'); s.pos++ {
	}
	w := s.src[start:s.pos]
	if s.prev == "." || s.prev == "?." { // a property may have any name
		s.token("name", true)
		return
	}
	switch {
	case w == "return" && s.inStatements():
		s.out.returns = true
	case len(s.open) > 0:
	case w == "import" && s.head && !s.importing:
		if s.out.importsEnd == 0 {
			s.out.importAt = start
		}
		s.importing = true
	case s.prev == "export" && exportable[w]:
		s.out.exports = append(s.out.exports, s.wordAt)
	}
	s.wordAt = start
	s.token(w, !operatorWords[w])
}

// operatorWords are the words after which an expression begins.
var operatorWords = map[string]bool{
	"return": true, "typeof": true, "instanceof": true, "in": true, "of": true, "new": true, "delete": true,
	"void": true, "throw": true, "case": true, "do": true, "else": true, "await": true, "yield": true,
}

// exportable are the words that may follow "export" and stand without it.
var exportable = map[string]bool{
	"type": true, "interface": true, "enum": true, "const": true, "let": true, "var": true, "function": true,
	"async": true, "class": true, "abstract": true, "declare": true, "namespace": true,
}

// controlWords are the words whose parentheses are followed by a statement.
var controlWords = map[string]bool{"if": true, "for": true, "while": true, "with": true, "switch": true, "catch": true}

// inStatements reports whether every open bracket is that of a block.
func (s *scanner) inStatements() bool {
	for _, b := range s.open {
		if !b.block {
			return false
		}
	}
	return true
}

func (s *scanner) punctuation(c byte) {
	switch c {
	case '(':
		s.push(bracket{char: c, control: controlWords[s.prev] || s.prev == "await" && s.prev2 == "for"})
		s.pos++
		s.token("(", false)
	case '[':
		s.push(bracket{char: c})
		s.pos++
		s.token("[", false)
	case '{':
		block := s.prev == "else" || s.prev == "try" || s.prev == "finally" || s.prev == "do" || s.prev == "catch" ||
			s.prev == ")" && s.closed.control
		s.push(bracket{char: c, block: block})
		s.pos++
		s.token("{", false)
	case ')', ']', '}':
		s.pop(c)
	default:
		s.operator(c)
	}
}

func (s *scanner) operator(c byte) {
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, "++"), strings.HasPrefix(rest, "--"):
		s.pos += 2
		s.token("++", s.value) // postfix ends an expression, prefix begins one
	case strings.HasPrefix(rest, "?.") && !(len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9'):
		s.pos += 2
		s.token("?.", false)
	case strings.HasPrefix(rest, "=>"):
		s.pos += 2
		s.token("=>", false)
	default:
		s.angles(rest)
		s.pos++
		s.token(rest[:1], false)
		if c == ';' || c == ',' && s.prev2 != ">" {
			s.chain = 0
		}
	}
}

// angles looks for what only a program with types has without spaces: "f<T" and
// ">(".
func (s *scanner) angles(rest string) {
	if len(rest) < 2 || s.pos == 0 {
		return
	}
	switch rest[0] {
	case '<':
		s.angle = s.angle || identPart(s.src[s.pos-1]) && s.value && s.prev != "0" &&
			(rest[1] == '{' || rest[1] == '[' || identPart(rest[1]) && (rest[1] < '0' || rest[1] > '9'))
	case '>':
		s.out.typeCall = s.out.typeCall || s.angle && rest[1] == '('
	}
}

func (s *scanner) push(b bracket) {
	b.chain = s.chain
	s.chain = 0
	s.open = append(s.open, b)
	if len(s.open) > maxNesting {
		s.tooDeep()
	}
	if len(s.open) > maxOpen {
		s.out.sure = false
	}
}

func (s *scanner) pop(c byte) {
	if len(s.open) == 0 {
		s.out.balanced = false
		s.pos++
		return
	}
	b := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.closed = b
	s.chain = b.chain
	s.pos++
	switch {
	case b.char == '`' && c == '}':
		s.templateAt = b.at
		s.template()
		return
	case b.char == '(' && c == ')':
		s.token(")", !b.control)
	case b.char == '[' && c == ']':
		s.token("]", true)
	case b.char == '{' && c == '}':
		s.token("}", !b.block)
	default:
		s.out.balanced = false
	}
}

func (s *scanner) token(t string, value bool) {
	s.prev2, s.prev, s.value = s.prev, t, value
	s.newline = false
	s.statement.token(t, s.pos, len(s.open))
	s.out.generator = s.out.generator || s.statement.generator
	switch {
	case s.importing && s.prev2 == "import" && (t == "(" || t == "."), s.importing && t == "=":
		s.importing, s.head = false, false // import(), import.meta, import x = require()
	case s.importing && t == "0" && len(s.open) == 0: // the module's name ends a declaration
		s.importing, s.out.importsEnd = false, s.pos
	case s.head && !s.importing && t == ";" && s.out.importsEnd > 0:
		s.out.importsEnd = s.pos
	case s.head && !s.importing:
		s.head = false
	}
	if t == "0" || t == "name" || t == "}" {
		return
	}
	s.chain++
	if t == "=>" {
		s.chain += arrowWeight
	}
	if s.chain > maxChain {
		s.tooDeep()
	}
}

func (s *scanner) tooDeep() {
	s.out.deep, s.out.deepAt = true, s.pos
	s.out.sure = false // and the walk ends: a megabyte of brackets is not worth its memory
}
