package script

// statement is the statement at the top level that the scanner is in.
//
// Where one begins is certain after a ";", and on a new line whose first token
// can't continue what stands before it. What is uncertain is taken as part of
// the statement before: V8 then refuses it as an expression, and the tree
// decides.
type statement struct {
	at, end       int // from its first byte to behind its last token but ";"
	first, second string
	count         int  // tokens, as far as they matter
	ended         bool // a ";" came
	function      bool // its last token is "function"
	generator     bool // "function*" is in it
}

// boundary begins a statement at the token that comes, if it certainly does.
func (s *scanner) boundary(rest string) {
	if rest[0] == ';' {
		return
	}
	if s.prev == "" {
		s.out.begin = s.pos
	}
	if s.prev == "" || s.statement.ended || (s.newline && s.complete() || s.prev == "}" && s.closed.block) && begins(rest) {
		s.statement = statement{at: s.pos}
		s.chain = 0
	}
}

// complete reports whether the tokens so far may be a whole statement.
func (s *scanner) complete() bool {
	return (s.value || s.prev == "}") && !unfinished[s.prev]
}

// unfinished are the words that something has to follow, though they could end
// an expression as names.
var unfinished = map[string]bool{
	"async": true, "let": true, "const": true, "var": true, "function": true, "class": true, "extends": true,
	"import": true, "export": true, "default": true, "from": true, "static": true, "enum": true, "interface": true,
	"type": true, "declare": true, "abstract": true, "namespace": true, "module": true, "if": true, "for": true,
	"while": true, "with": true, "switch": true, "catch": true, "try": true, "finally": true, "is": true, "keyof": true,
}

// begins reports whether a token, the first of its line, can't continue an
// expression or a statement: it is a literal or a word of its own.
func begins(rest string) bool {
	if rest[0] == '"' || rest[0] == '\'' {
		return true
	}
	if !identPart(rest[0]) {
		return false
	}
	end := 1
	for end < len(rest) && identPart(rest[end]) {
		end++
	}
	return !continuing[rest[:end]]
}

// continuing are the words that may stand after an expression or a block.
var continuing = map[string]bool{
	"in": true, "instanceof": true, "of": true, "as": true, "satisfies": true, "is": true, "extends": true, "implements": true,
	"else": true, "catch": true, "finally": true, "while": true, "from": true, "with": true,
}

// token takes note of a token of the statement; depth is how many brackets are
// open behind it.
func (st *statement) token(t string, end, depth int) {
	if t == ";" && depth == 0 {
		st.ended = true
		return
	}
	st.end = end
	switch st.count++; st.count {
	case 1:
		st.first = t
	case 2:
		st.second = t
	}
	st.generator = st.generator || t == "*" && st.function
	st.function = t == "function"
}

// muteWords begin a statement that neither has a value nor is a function that
// could be meant.
var muteWords = map[string]bool{
	"if": true, "for": true, "while": true, "do": true, "switch": true, "try": true, "throw": true, "with": true,
}

// expression reports whether the statement may be an expression: V8 has the last
// word. What begins like a declaration or a block is left to the tree, and so is
// what exports.
func (st *statement) expression() bool {
	switch st.first {
	case "", "{", "function", "class", "let", "module", "exports", "import", "export", "@":
		return false
	case "async":
		return st.second != "function"
	}
	return !st.generator
}
