package discover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codemode-mcp/internal/catalog"
)

// shorts are how long a signature in a text may be where all fit, in bytes: the
// first at which they do.
var shorts = []int{220, 160, 130, 110, 100, 90}

// maxHeads bounds the line that names the servers, in bytes.
const maxHeads = 500

// share fills room bytes with the servers, how many tools each has, and their
// signatures: all, or those that are needed most, and the names of the others. It
// says whether they are all.
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
		if lines := v.all(groups, room-len(head)-len(complete), limit); len(lines) == all {
			v.lengthen(groups, lines, room-len(head)-len(complete))
			return head + complete + strings.Join(lines, "\n")
		}
	}
	partial := fmt.Sprintf("Signatures (partial: %%d of %d; search_tools gives the others), called as tools.<server>.<name>:\n", all)
	room -= len(head) + len(partial) + 4
	named := v.named(groups, room/maxNamed, nil) // what names take when no signature is shown
	signed, lines := v.sign(groups, room-len(named)-1, partialShort)
	rest := v.named(groups, room-len(strings.Join(lines, "\n"))-1, signed)
	return head + fmt.Sprintf(partial, len(lines)) + strings.Join(append(lines, rest), "\n")
}

// maxTurns is how many tools of one server are considered for a text that shows
// few: writing the signatures of thousands takes time.
const maxTurns = 16

const (
	// partialShort is how long a signature may be where not all fit, in bytes.
	partialShort = 115
	// maxNamed is which part of the room names may take from signatures.
	maxNamed = 3
)

// first are the tools of the workspace that scripts need most, in that order.
var first = []string{"read_file", "grep", "glob", "edit_file", "write_file", "list_dir"}

// byUse gives a server's tools, those that are needed most first: an upstream
// lists them so itself.
func (v View) byUse(g group) []*catalog.Tool {
	place := func(t *catalog.Tool) int {
		if i := slices.Index(first, t.Name); i >= 0 && t.Server == catalog.Workspace {
			return i - len(first)
		}
		return v.Catalog.Rank(t)
	}
	tools := slices.Clone(g.tools)
	slices.SortStableFunc(tools, func(a, b *catalog.Tool) int { return cmp.Compare(place(a), place(b)) })
	return tools
}

// sign gives signatures by use, those of every server in turn, as far as the room
// goes. A server whose next one does not fit has had its turns.
func (v View) sign(groups []group, room, limit int) (signed map[*catalog.Tool]bool, lines []string) {
	signed = map[*catalog.Tool]bool{}
	byServer := make([][]string, len(groups))
	queues := v.queues(groups)
	for more := true; more; {
		more = false
		for i, queue := range queues {
			if len(queue) == 0 || len(byServer[i]) == maxTurns || room < minShort {
				continue
			}
			text := v.short(queue[0], limit)
			if queues[i] = queue[1:]; len(text)+1 > room {
				queues[i] = nil
				continue
			}
			more = true
			room -= len(text) + 1
			signed[queue[0]] = true
			byServer[i] = append(byServer[i], text)
		}
	}
	return signed, slices.Concat(byServer...)
}

// minShort is the least that a line takes, in bytes.
const minShort = 10

func (v View) queues(groups []group) [][]*catalog.Tool {
	out := make([][]*catalog.Tool, len(groups))
	for i, g := range groups {
		out[i] = v.byUse(g)
	}
	return out
}

// named is a line of the names of tools that have no signature, by server and by
// use, every server in turn, as far as the room goes.
func (v View) named(groups []group, room int, signed map[*catalog.Tool]bool) string {
	const head, more = "Also: ", "; and %d more"
	room -= len(head) + len(more) + 4
	byServer := make([][]string, len(groups))
	queues := v.queues(groups)
	left := 0
	for i := range queues {
		queues[i] = slices.DeleteFunc(queues[i], func(t *catalog.Tool) bool { return signed[t] })
		left += len(queues[i])
	}
	for again := true; again; {
		again = false
		for i, queue := range queues {
			if len(queue) == 0 || room < 2 {
				continue
			}
			text := queue[0].ToolIdent()
			if len(byServer[i]) == 0 {
				text = queue[0].ServerIdent() + "." + text
			}
			if queues[i] = queue[1:]; len(text)+2 > room {
				queues[i] = nil
				continue
			}
			again = true
			room -= len(text) + 2
			left--
			byServer[i] = append(byServer[i], text)
		}
	}
	var parts []string
	for _, names := range byServer {
		if len(names) > 0 {
			parts = append(parts, strings.Join(names, ", "))
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case left > 0:
		return head + strings.Join(parts, "; ") + fmt.Sprintf(more, left)
	}
	return head + strings.Join(parts, "; ")
}

// all gives the signatures of all tools, or nothing when they do not fit.
func (v View) all(groups []group, room, limit int) []string {
	var out []string
	for _, g := range groups {
		for _, t := range g.tools {
			text := v.short(t, limit)
			if room -= len(text) + 1; room < 0 {
				return nil
			}
			out = append(out, text)
		}
	}
	return out
}

// lengthen gives what room the lines of all tools leave to those that are needed
// most.
func (v View) lengthen(groups []group, lines []string, room int) {
	room -= len(strings.Join(lines, "\n"))
	at := map[*catalog.Tool]int{}
	for _, g := range groups {
		for _, t := range g.tools {
			at[t] = len(at)
		}
	}
	for _, queue := range v.queues(groups) {
		for _, t := range queue {
			for _, limit := range shorts {
				text, i := v.short(t, limit), at[t]
				if more := len(text) - len(lines[i]); more > 0 && more <= room {
					room -= more
					lines[i] = text
					break
				}
			}
		}
	}
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
