package discover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codemode-mcp/internal/catalog"
)

// shorts are how long a signature in a text may be, in bytes: the first at which
// all fit, or else the last.
var shorts = []int{220, 160, 130, 110, 100, 90}

// maxHeads bounds the line that names the servers, in bytes.
const maxHeads = 500

// share fills room bytes with the servers, how many tools each has, and as many
// signatures as fit, those of every server in turn. It says whether they are all.
func (v View) share(groups []group, room int) string {
	all, most := 0, 0
	for _, g := range groups {
		all += len(g.tools)
		most = max(most, len(g.tools))
	}
	head := heads(groups, min(maxHeads, room))
	complete := fmt.Sprintf("Signatures (complete: all %d), called as tools.<server>.<name>:\n", all)
	for _, limit := range shorts {
		if all*8 > room || most > maxTurns { // no need to write them to know
			break
		}
		if lines := v.fill(groups, room-len(head)-len(complete), limit); len(lines) == all {
			return head + complete + strings.Join(lines, "\n")
		}
	}
	partial := fmt.Sprintf("Signatures (partial: %%d of %d; search_tools finds the others), called as tools.<server>.<name>:\n", all)
	lines := v.fill(groups, room-len(head)-len(partial)-4, shorts[len(shorts)-1])
	return head + fmt.Sprintf(partial, len(lines)) + strings.Join(lines, "\n")
}

// maxTurns is how many tools of one server are considered for a text that shows
// few: writing the signatures of thousands takes time.
const maxTurns = 16

// fill gives the signatures that fit, by server and name. Each server has its
// turn, its shortest signature first.
func (v View) fill(groups []group, room, limit int) []string {
	type line struct {
		text         string
		server, tool int
	}
	byServer := make([][]line, len(groups))
	for i, g := range groups {
		for j, t := range g.tools[:min(len(g.tools), maxTurns)] {
			byServer[i] = append(byServer[i], line{v.short(t, limit), i, j})
		}
		slices.SortStableFunc(byServer[i], func(a, b line) int { return cmp.Compare(len(a.text), len(b.text)) })
	}
	var chosen []line
	for turn, more := 0, true; more; turn++ {
		more = false
		for i := range byServer {
			if turn >= len(byServer[i]) {
				continue
			}
			if l := byServer[i][turn]; len(l.text)+1 <= room {
				more = true
				room -= len(l.text) + 1
				chosen = append(chosen, l)
			}
		}
	}
	slices.SortFunc(chosen, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.tool, b.tool))
	})
	out := make([]string, len(chosen))
	for i, l := range chosen {
		out[i] = l.text
	}
	return out
}

// heads is the line of the servers with how many tools each has.
func heads(groups []group, room int) string {
	const more = " and %d more servers"
	text := "Servers (tools):"
	for i, g := range groups {
		part := fmt.Sprintf(" %s (%d)", g.name, len(g.tools))
		if i > 0 {
			part = "," + part
		}
		if len(text)+len(part)+len(more) > room {
			text += fmt.Sprintf(more, len(groups)-i)
			break
		}
		text += part
	}
	return text + "\n"
}

// short is a signature in as few words as it can be said.
func (v View) short(t *catalog.Tool, limit int) string {
	path := v.ScriptPath(t)
	after := strings.TrimPrefix(v.signature(t, limit+len("tools.(args: )Promise<>")), path)
	after = strings.Replace(after, "(args: {", "({", 1)
	after = strings.Replace(after, "(args?: {", "({", 1)
	if in, out, ok := cutLast(after, "): Promise<"); ok {
		after = in + ")"
		if out = strings.TrimSuffix(out, ">"); out != "unknown" {
			after += " → " + out
		}
	}
	return t.ServerIdent() + "." + t.ToolIdent() + after
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
