package workspace

import (
	"bytes"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern finds matching lines. Most lines are passed over by looking for the
// literals that a match must hold; only a line that has one meets the regexp.
type pattern struct {
	re    *regexp.Regexp
	lits  [][]byte // a match holds one of them; none: every line meets the regexp
	lower bool     // lits are lower case, to be looked for in lowered text
}

func parsePattern(expr string, ignoreCase bool) (*pattern, error) {
	switch {
	case expr == "":
		return nil, fail(KindInvalid, "", "the pattern is empty")
	case len(expr) > maxPatternBytes:
		return nil, fail(KindInvalid, "", "the pattern is longer than %d bytes", maxPatternBytes)
	}
	flags := syntax.Perl
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expr, flags)
	if err == nil && ignoreCase {
		expr = "(?i:" + expr + ")"
	}
	var re *regexp.Regexp
	if err == nil {
		if prog, err := syntax.Compile(tree.Simplify()); err != nil || len(prog.Inst) > maxProgram {
			return nil, fail(KindTooLarge, "", "the pattern is too complex to search with").hint("use smaller {n,m} counts, or fewer of them")
		}
		re, err = regexp.Compile(expr)
	}
	if err != nil {
		return nil, fail(KindInvalid, "", "the pattern is malformed: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: ")).
			hint(`the syntax is RE2: no lookaround, no backreferences; \ makes a character plain`)
	}
	if holdsNewline(tree) {
		return nil, fail(KindInvalid, "", "the pattern holds a line break, and grep looks at one line at a time").
			hint("search for one of the lines and use contextLines")
	}
	p := &pattern{re: re}
	lits, ok := required(tree)
	if !ok {
		return p, nil
	}
	for _, l := range lits {
		p.lower = p.lower || l.fold
	}
	for _, l := range lits {
		b := []byte(l.text)
		if p.lower {
			lowerASCII(b, b)
		}
		p.lits = append(p.lits, b)
	}
	return p, nil
}

func holdsNewline(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && strings.ContainsRune(string(re.Rune), '\n') {
		return true
	}
	for _, s := range re.Sub {
		if holdsNewline(s) {
			return true
		}
	}
	return false
}

type literal struct {
	text string
	fold bool
}

// required gives literals of which every match holds at least one.
func required(re *syntax.Regexp) ([]literal, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		fold := re.Flags&syntax.FoldCase != 0
		text := string(re.Rune)
		if fold {
			text = foldable(text)
		}
		return []literal{{text, fold}}, text != ""
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []literal
		for _, s := range re.Sub {
			if lits, ok := required(s); ok && shortest(lits) > shortest(best) {
				best = lits
			}
		}
		return best, best != nil
	case syntax.OpAlternate:
		var all []literal
		for _, s := range re.Sub {
			lits, ok := required(s)
			if all = append(all, lits...); !ok || len(all) > maxLiterals {
				return nil, false
			}
		}
		return all, true
	}
	return nil, false
}

func shortest(lits []literal) int {
	n := 0
	for i, l := range lits {
		if i == 0 || len(l.text) < n {
			n = len(l.text)
		}
	}
	return n
}

// foldable gives the longest run of characters whose case variants are all
// ASCII: k and s have one that is not (the Kelvin sign, the long s).
func foldable(text string) string {
	best := ""
	for _, run := range strings.FieldsFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf || strings.ContainsRune("kKsS", r)
	}) {
		if len(run) > len(best) {
			best = run
		}
	}
	return best
}

// lowerASCII writes src with A to Z lowered to dst. Offsets stay the same.
func lowerASCII(dst, src []byte) {
	for i, c := range src {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[i] = c
	}
}

// scan is a search of one text by one pattern.
type scan struct {
	p    *pattern
	text []byte // whole lines, without the last line break
	hay  []byte // text, or text lowered
	next []int  // where each literal occurs next; len(text)+1: nowhere

	stopped func() bool // asked now and then; true ends the search
	since   int         // bytes that met the regexp since it was asked
}

// start begins the search of text. low is room for as many bytes.
func (s *scan) start(text, low []byte) {
	s.text, s.hay = text, text
	if s.p.lower {
		s.hay = low[:len(text)]
		lowerASCII(s.hay, text)
	}
	s.next = s.next[:0]
	for range s.p.lits {
		s.next = append(s.next, -1)
	}
}

// line finds the next line at or after the offset pos, a line's start, that
// matches: its bounds, and where in it the match is. from is -1 when none does.
func (s *scan) line(pos int) (from, to, at int) {
	for pos <= len(s.text) {
		if len(s.p.lits) > 0 {
			hit := s.literal(pos)
			if hit > len(s.text) {
				break
			}
			pos += bytes.LastIndexByte(s.text[pos:hit], '\n') + 1
		}
		end := len(s.text)
		if i := bytes.IndexByte(s.text[pos:], '\n'); i >= 0 {
			end = pos + i
		}
		if at := s.find(trimCR(s.text[pos:end])); at >= 0 {
			return pos, end, at
		}
		if s.since > maxAtOnceBytes {
			if s.since = 0; s.stopped() {
				break
			}
		}
		pos = end + 1
	}
	return -1, -1, -1
}

// find gives the offset of the match in one line, or -1. A long line is read
// through a [runes], for the regexp itself can't be stopped.
func (s *scan) find(line []byte) int {
	s.since += len(line) + 1
	if len(line) > maxAtOnceBytes {
		if loc := s.p.re.FindReaderIndex(&runes{line: line, stopped: s.stopped}); loc != nil {
			return loc[0]
		}
		return -1
	}
	if !s.p.re.Match(line) {
		return -1
	}
	return s.p.re.FindIndex(line)[0]
}

// runes gives a line to a regexp, until the search is stopped.
type runes struct {
	line    []byte
	at      int
	ask     int // the offset at which to ask stopped next
	stopped func() bool
}

func (r *runes) ReadRune() (rune, int, error) {
	if r.at >= r.ask {
		if r.ask += maxAtOnceBytes; r.stopped() {
			return 0, 0, io.EOF
		}
	}
	if r.at >= len(r.line) {
		return 0, 0, io.EOF
	}
	c, n := utf8.DecodeRune(r.line[r.at:])
	r.at += n
	return c, n, nil
}

// literal gives the first offset at or after pos where a literal stands.
func (s *scan) literal(pos int) int {
	first := len(s.text) + 1
	for i, lit := range s.p.lits {
		if s.next[i] < pos {
			s.next[i] = len(s.text) + 1
			if j := bytes.Index(s.hay[pos:], lit); j >= 0 {
				s.next[i] = pos + j
			}
		}
		first = min(first, s.next[i])
	}
	return first
}

func trimCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\r")) }
