package sdkgen

import (
	"strconv"
	"strings"
)

// namer gives out names that are unique in one namespace.
type namer struct {
	taken map[string]bool
	// next is the suffix to try first for a name that is taken.
	next map[string]int
}

// newNamer makes a namer that never gives out the reserved names.
func newNamer(reserved ...string) *namer {
	n := &namer{taken: map[string]bool{}, next: map[string]int{}}
	for _, name := range reserved {
		n.taken[name] = true
	}
	return n
}

// pick gives want, or want with the first free number after it.
func (n *namer) pick(want string) string {
	name := want
	for i := max(n.next[want], 2); n.taken[name]; i++ {
		name = want + strconv.Itoa(i)
		if want[len(want)-1] >= '0' && want[len(want)-1] <= '9' {
			name = want + "_" + strconv.Itoa(i)
		}
		n.next[want] = i + 1
	}
	n.taken[name] = true
	return name
}

// maxNameChars bounds a type's name.
const maxNameChars = 80

// pascal makes a type name of any text: its words of ASCII letters and digits,
// each with a capital. It may be empty.
func pascal(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			if up {
				r -= 'a' - 'A'
			}
			up = false
		case 'A' <= r && r <= 'Z':
			up = false
		case '0' <= r && r <= '9':
			up = true
		default:
			up = true
			continue
		}
		if b.Len() >= maxNameChars {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// typePrefix is what the names of a tool's types begin with.
func typePrefix(tool string) string {
	p := pascal(tool)
	if p == "" || p[0] >= '0' && p[0] <= '9' {
		return "Tool" + p
	}
	return p
}

// namespaceName makes an identifier of a server's name, which stays as it is
// when it can.
func namespaceName(server string) string {
	var b strings.Builder
	for _, r := range server {
		switch {
		case r == '_', r == '$', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		default:
			r = '_'
		}
		if b.Len() >= maxNameChars {
			break
		}
		b.WriteRune(r)
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' || reservedWords[name] {
		name = "_" + name
	}
	return name
}

// reservedWords can't name a namespace.
var reservedWords = wordSet(`
	abstract any arguments as asserts async await bigint boolean break case catch class const
	constructor continue debugger declare default delete do else enum eval export extends false
	finally for from function get global if implements import in infer instanceof interface
	intrinsic is keyof let module namespace never new null number object of out override package
	private protected public readonly require return set static string super switch symbol this
	throw true try type typeof undefined unique unknown using var void while with yield`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
