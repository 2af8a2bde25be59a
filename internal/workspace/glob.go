package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"codemode-mcp/internal/policy"
)

var globSpec = spec{
	name: "glob", title: "Find files by name", role: policy.Viewer, readOnly: true, idempotent: true,
	description: "Find files by a pattern of their path, such as **/*.go or src/**/test_*.{ts,js}. " +
		"* and ? stay within one folder, ** crosses folders, so *.go finds only files at the top. " +
		"Gives files and symbolic links (not followed), never folders, as paths relative to the workspace root, sorted. " +
		"What .gitignore names, and .git itself, is left out unless includeIgnored. Case counts.",
}

type globArgs struct {
	Pattern        string `json:"pattern" jsonschema:"minLength=1,maxLength=1000" jsonschema_description:"The pattern, relative to path."`
	Path           string `json:"path,omitempty" jsonschema:"default=." jsonschema_description:"The folder to look in."`
	IncludeIgnored bool   `json:"includeIgnored,omitempty" jsonschema:"default=false" jsonschema_description:"Also give what .gitignore and .git hide."`
	Limit          int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=5000,default=500" jsonschema_description:"How many paths to give at most. The first in order are kept."`
}

type globResult struct {
	Paths     []string `json:"paths" jsonschema_description:"Paths relative to the workspace root, sorted."`
	Truncated bool     `json:"truncated" jsonschema_description:"Whether more files match than were given."`
	Note      string   `json:"note,omitempty" jsonschema_description:"What to know about this answer."`
}

func (w *Workspace) glob(ctx context.Context, a globArgs) (*globResult, error) {
	limit := cmp.Or(a.Limit, defGlobLimit)
	if limit < 1 || limit > maxGlobLimit {
		return nil, fail(KindInvalid, "", "limit must be from 1 to %d", maxGlobLimit)
	}
	set, err := parseGlob(a.Pattern)
	if err != nil {
		return nil, err
	}
	p, err := w.existing(cmp.Or(a.Path, "."), true, nil)
	if err != nil {
		return nil, err
	}
	start := p.rel
	p.close()
	if !p.info.IsDir() {
		return nil, fail(KindWrongType, p.given, "it is not a folder").hint("file_info shows a single file")
	}
	res := &globResult{Paths: []string{}}
	k := &walker{
		w: w, includeIgnored: a.IncludeIgnored,
		enter: func(rel string) bool { return set.mayHold(below(start, rel)) },
		visit: func(rel string, _ fs.FileMode) error {
			if !set.matches(below(start, rel)) {
				return nil
			}
			if len(res.Paths) == limit {
				res.Truncated = true
				return errStop
			}
			res.Paths = append(res.Paths, rel)
			return nil
		},
	}
	if err := k.walk(ctx, start); err != nil {
		return nil, osError(p.given, err)
	}
	switch {
	case res.Truncated:
		res.Note = "more files match: narrow the pattern or the path, or raise limit"
	case len(res.Paths) > 0:
	case !strings.Contains(a.Pattern, "/") && !strings.Contains(a.Pattern, "**"):
		res.Note = "the pattern has no **/ in front, so only the top of the folder was searched"
	case k.ignored > 0:
		res.Note = "some paths were left out because .gitignore names them: includeIgnored gives them too"
	}
	return res, nil
}

// below makes rel relative to the folder start.
func below(start, rel string) string {
	if start == "." {
		return rel
	}
	return rel[len(start)+1:]
}

// globSet is a glob pattern without its {a,b}: a path matches one of them.
type globSet []globPattern

type globPattern struct {
	whole string
	parts []string
}

// parseGlob checks a pattern. Braces are expanded here, in bounds: matching
// them by backtracking takes exponential time on a hostile pattern.
func parseGlob(pattern string) (globSet, error) {
	bad := func(msg string) error {
		return fail(KindInvalid, "", "the glob pattern %q %s", pattern, msg).hint("a pattern looks like src/**/*.{ts,tsx}")
	}
	switch {
	case pattern == "":
		return nil, bad("is empty")
	case len(pattern) > maxPatternBytes:
		return nil, fail(KindInvalid, "", "the glob pattern is longer than %d bytes", maxPatternBytes)
	case !doublestar.ValidatePattern(pattern):
		return nil, bad("is malformed")
	case path.IsAbs(pattern):
		return nil, bad("is absolute; give the folder as path and a relative pattern")
	}
	whole, ok := expandBraces(pattern)
	if !ok {
		return nil, bad("stands for too many patterns")
	}
	var set globSet
	for _, p := range whole {
		p = strings.TrimPrefix(p, "./")
		elems := strings.Split(p, "/")
		if slices.Contains(elems, "..") {
			return nil, bad(`holds ".."; give the folder as path`)
		}
		set = append(set, globPattern{p, elems})
	}
	return set, nil
}

func (s globSet) matches(sub string) bool {
	for _, p := range s {
		if doublestar.MatchUnvalidated(p.whole, sub) {
			return true
		}
	}
	return false
}

// mayHold reports whether something in the folder sub can match.
func (s globSet) mayHold(sub string) bool {
	dirs := strings.Split(sub, "/")
	return slices.ContainsFunc(s, func(p globPattern) bool {
		for i, d := range dirs {
			if i < len(p.parts) && p.parts[i] == "**" {
				return true
			}
			if i >= len(p.parts)-1 || !doublestar.MatchUnvalidated(p.parts[i], d) {
				return false
			}
		}
		return true
	})
}

// expandBraces gives the patterns without alternatives that a valid pattern
// stands for, or false when they are too many.
func expandBraces(pattern string) ([]string, bool) {
	open, depth, inClass := -1, 0, false
	var cuts []int // the commas of the first group, and its end
scan:
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '{':
			if depth++; depth == 1 {
				open = i
			}
		case c == ',' && depth == 1:
			cuts = append(cuts, i)
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				cuts = append(cuts, i)
				break scan
			}
		}
	}
	if open < 0 || depth > 0 {
		return []string{pattern}, true
	}
	var out []string
	from := open + 1
	for _, cut := range cuts {
		more, ok := expandBraces(pattern[:open] + pattern[from:cut] + pattern[cuts[len(cuts)-1]+1:])
		if out = append(out, more...); !ok || len(out) > maxAlternatives {
			return nil, false
		}
		from = cut + 1
	}
	return out, true
}
