package sdkgen

import (
	"strings"

	"codemode-mcp/internal/catalog"
)

// toolDoc is the lines of a tool's documentation: what it does, what it may
// change.
func toolDoc(t *catalog.Tool) []string {
	lines := proseLines(t.Description, maxToolDoc)
	if title := inline(t.Title, maxInlineDoc); title != "" && plain(title) != plain(t.Name) {
		lines = append([]string{title}, lines...)
	}
	var facts []string
	a := t.Annotations
	switch {
	case a.ReadOnly:
		facts = append(facts, "Read-only.")
	case a.Destructive != nil && *a.Destructive:
		facts = append(facts, "Destructive.")
	case a.Destructive != nil:
		facts = append(facts, "Not destructive.")
	}
	if a.Idempotent && !a.ReadOnly {
		facts = append(facts, "Idempotent.")
	}
	if len(facts) > 0 {
		lines = append(lines, strings.Join(facts, " "))
	}
	return lines
}

// propDoc is the lines before a property. One that only refers to a schema too
// short for a name of its own takes that schema's.
func (c *converter) propDoc(name string, s *node) []string {
	lines := docLines(s, name)
	if at, ok := c.doc.sites[s]; ok && len(lines) == 0 && at.target != nil && isSimple(at.target) {
		// A long one would be repeated as often as it is referred to.
		if of := docLines(at.target, name); len(of) == 1 && len(of[0]) <= maxInlineDoc {
			return of
		}
	}
	return lines
}

// docLines is the lines before a type or property: its description, the facts
// its type can't say, and those of an array's elements. name is what it is
// called: a title that only repeats it is left out.
func docLines(n *node, name string) []string {
	if n.form != formObject {
		return nil
	}
	prose := n.str("description")
	if prose == "" && plain(n.str("title")) != plain(name) {
		prose = n.str("title")
	}
	lines := withFacts(proseLines(prose, maxPartDoc), facts(n))
	if items := n.get("items"); items != nil && items.form == formObject {
		about := withFacts(proseLines(items.str("description"), maxInlineDoc), facts(items))
		if len(about) > 0 {
			lines = append(lines, "Items: "+strings.Join(about, " "))
		}
	}
	if n.isTrue("deprecated") {
		lines = append(lines, "@deprecated")
	}
	return lines
}

// withFacts adds facts in brackets after the last line.
func withFacts(lines, facts []string) []string {
	if len(facts) == 0 {
		return lines
	}
	all := "[" + strings.Join(facts, "; ") + "]"
	last := len(lines) - 1
	if last < 0 || len(lines[last])+len(all) > 2*lineWidth {
		return append(lines, all)
	}
	lines[last] += " " + all
	return lines
}

// plain is a name reduced to its letters and digits, to compare with a title.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ', r == '_', r == '-', r == '.':
			return -1
		}
		return r
	}, s)
}
