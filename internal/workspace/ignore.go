package workspace

import (
	"io"
	"os"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreRules are the rules of one .gitignore and those of the folders above.
type ignoreRules struct {
	above *ignoreRules
	base  string // the folder of the file, as a prefix: "" or "a/b/"
	rules []ignoreRule
}

type ignoreRule struct {
	pattern  string
	how      matchHow
	negated  bool
	dirOnly  bool
	baseName bool // compared with the last part of the path
}

type matchHow int

const (
	matchGlob   matchHow = iota // with doublestar
	matchEqual                  // pattern is the text itself
	matchSuffix                 // pattern is what follows the one star
)

// ignored reports whether git would pass over rel. Whoever asks has asked about
// the folders above already: nothing in an ignored folder can come back.
func (r *ignoreRules) ignored(rel string, isDir bool) bool {
	for ; r != nil; r = r.above {
		sub := rel[len(r.base):]
		name := path.Base(sub)
		for i := len(r.rules) - 1; i >= 0; i-- { // the last rule that matches decides
			if rule := &r.rules[i]; rule.matches(sub, name, isDir) {
				return !rule.negated
			}
		}
	}
	return false
}

func (r *ignoreRule) matches(sub, name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.baseName {
		sub = name
	}
	switch r.how {
	case matchEqual:
		return sub == r.pattern
	case matchSuffix:
		return strings.HasSuffix(sub, r.pattern)
	}
	ok, err := doublestar.Match(r.pattern, sub)
	return ok && err == nil
}

// parseIgnore reads the text of a .gitignore that lies in the folder base.
func parseIgnore(above *ignoreRules, base, text string) *ignoreRules {
	r := &ignoreRules{above: above, base: base}
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		if rule, ok := parseRule(strings.TrimRight(line, "\r\n")); ok {
			r.rules = append(r.rules, rule)
		}
	}
	if len(r.rules) == 0 {
		return above
	}
	return r
}

func parseRule(line string) (rule ignoreRule, ok bool) {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if strings.HasPrefix(line, "#") {
		return rule, false
	}
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.dirOnly = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule, false
	}
	if line == "**" {
		line, anchored = "*", false
	}
	rule.baseName = !anchored
	if rest, found := strings.CutPrefix(line, "**/"); found && !strings.Contains(rest, "/") {
		line, rule.baseName = rest, true
	}
	if strings.HasSuffix(line, "/**") { // what is in the folder, not the folder
		line += "/*"
	}
	const meta = `*?[\`
	if i := strings.IndexAny(line, meta); i < 0 {
		rule.how = matchEqual
	} else if rule.baseName && i == 0 && line[0] == '*' && !strings.ContainsAny(line[1:], meta) {
		rule.how, line = matchSuffix, line[1:]
	} else {
		line = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, `{`, `\{`, `}`, `\}`).Replace(line) // braces are plain in git
	}
	rule.pattern = line
	return rule, true
}

// loadIgnore reads the .gitignore of the folder rel. One that is a link is not
// followed, as in git; one that can't be read has no rules.
func loadIgnore(root *os.Root, above *ignoreRules, rel string) *ignoreRules {
	name, base := ".gitignore", ""
	if rel != "." {
		name, base = rel+"/.gitignore", rel+"/"
	}
	f, _, err := openFile(root, name, name, os.O_RDONLY)
	if err != nil {
		return above
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
	if err != nil {
		return above
	}
	return parseIgnore(above, base, string(text))
}
