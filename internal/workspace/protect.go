package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// protectedNames are refused for writing at any depth, with all they hold: each
// can make a program run, or widen what the agent may do.
var protectedNames = []string{".git", ".mcp.json", ".vscode", ".cursor", ".claude"}

// guard decides what a writing call may touch. It is made anew for each call,
// since the protected files come and go. A nil guard allows everything.
type guard struct {
	rels  []string      // protected paths in the root, folded, without links
	infos []fs.FileInfo // of the protected files that exist, wherever they are
}

func (w *Workspace) newGuard() *guard {
	g := &guard{}
	paths := slices.Clone(w.opts.Protected)
	for _, name := range protectedNames {
		paths = append(paths, filepath.Join(w.real, name)) // what a link by that name leads to
	}
	for _, p := range paths {
		for _, hop := range hops(p) {
			if rel, err := filepath.Rel(w.real, hop); err == nil && filepath.IsLocal(rel) && rel != "." {
				g.rels = append(g.rels, fold(filepath.ToSlash(rel)))
			}
		}
	}
	g.infos = existingInfos(paths)
	return g
}

// existingInfos looks at those of the paths that exist.
func existingInfos(paths []string) []fs.FileInfo {
	var infos []fs.FileInfo
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}

// hops gives every place an absolute path depends on: each link on the way and
// the end. Replacing any of them replaces the file.
func hops(path string) []string {
	var out []string
	cur, todo := "/", parts(path)
	for links := 0; len(todo) > 0; {
		name, rest := todo[0], todo[1:]
		next := filepath.Join(cur, name)
		target, err := os.Readlink(next)
		if err != nil || links == maxLinks { // no link
			cur, todo = next, rest
			continue
		}
		links++
		out = append(out, next)
		if filepath.IsAbs(target) {
			cur = "/"
		}
		todo = slices.Concat(parts(target), rest)
	}
	return append(out, cur)
}

// fold makes names that a file system may take for the same equal: case,
// invisible characters and trailing dots and spaces do not count.
func fold(rel string) string {
	elems := strings.Split(rel, "/")
	for i, e := range elems {
		e = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				if next < unicode.MaxASCII {
					return unicode.ToLower(next) // the Kelvin sign is a k, the long s an s
				}
			}
			return unicode.ToLower(r)
		}, e)
		elems[i] = strings.TrimRight(e, ". ")
	}
	return strings.Join(elems, "/")
}

func protectedError(given, what string) error {
	return fail(KindProtected, given, "%s is protected and can't be changed by a tool", what).
		hint("ask the user to change it")
}

// name refuses the protected names.
func (g *guard) name(given, name string) error {
	if g != nil && slices.Contains(protectedNames, fold(name)) {
		return protectedError(given, `"`+name+`"`)
	}
	return nil
}

// same refuses the protected files under any other name.
func (g *guard) same(given string, info fs.FileInfo) error {
	if g == nil || info == nil {
		return nil
	}
	for _, i := range g.infos {
		if os.SameFile(i, info) {
			return protectedError(given, "the file behind this path")
		}
	}
	return nil
}

// check refuses a place that is, or lies in, something protected.
func (g *guard) check(p *place) error {
	rel := fold(p.rel)
	for _, r := range g.rels {
		if rel == r || strings.HasPrefix(rel, r+"/") {
			return protectedError(p.given, "this path")
		}
	}
	return g.same(p.given, p.info)
}

// above refuses a place that something protected lies in, also if that does not
// exist yet: whoever moves the folder decides what comes to lie there.
func (g *guard) above(p *place) error {
	rel := fold(p.rel) + "/"
	for _, r := range g.rels {
		if strings.HasPrefix(r, rel) {
			return fail(KindProtected, p.given, "the folder holds a protected path").hint("work on what else it holds, one by one")
		}
	}
	return nil
}

// readable refuses the secret files, under whatever name they were opened.
func readable(given string, info fs.FileInfo, secret []fs.FileInfo) error {
	for _, i := range secret {
		if os.SameFile(i, info) {
			return fail(KindProtected, given, "the file holds a secret of the server and can't be read by a tool")
		}
	}
	return nil
}
