package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"

	"codemode-mcp/internal/policy"
)

var grepSpec = spec{
	name: "grep", title: "Search file contents", role: policy.Viewer, readOnly: true, idempotent: true,
	description: "Search the text files of a folder, or one file, line by line for an RE2 regular expression (no lookaround or backreferences). " +
		"Matches come sorted by path, then line; limit keeps the first, and truncated says that there are more. " +
		"Binary files are skipped and counted, symbolic links not followed, and what .gitignore names, and .git itself, is left out unless includeIgnored. " +
		"A line above 400 bytes is cut around the match, marked [...]. Context lines that matches share are shown once.",
}

type grepArgs struct {
	Pattern        string `json:"pattern" jsonschema:"minLength=1,maxLength=1000" jsonschema_description:"The regular expression. Matched against each line."`
	Path           string `json:"path,omitempty" jsonschema:"default=." jsonschema_description:"The folder or file to search."`
	Glob           string `json:"glob,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Search only files that match, such as *.go (at any depth) or src/**/*.ts (relative to path)."`
	IgnoreCase     bool   `json:"ignoreCase,omitempty" jsonschema:"default=false" jsonschema_description:"Take upper and lower case as equal."`
	ContextLines   int    `json:"contextLines,omitempty" jsonschema:"minimum=0,maximum=20,default=0" jsonschema_description:"How many lines to show before and after each match."`
	Limit          int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000,default=100" jsonschema_description:"How many matches to give at most."`
	IncludeIgnored bool   `json:"includeIgnored,omitempty" jsonschema:"default=false" jsonschema_description:"Also search what .gitignore and .git hide."`
}

type grepResult struct {
	Matches         []grepMatch `json:"matches" jsonschema_description:"The matching lines, sorted by path, then line."`
	Truncated       bool        `json:"truncated" jsonschema_description:"Whether there are more matches than were given."`
	FilesSearched   int         `json:"filesSearched" jsonschema:"minimum=0" jsonschema_description:"How many files were searched before the limit."`
	BinarySkipped   int         `json:"binarySkipped" jsonschema:"minimum=0" jsonschema_description:"How many files were skipped because they are not text."`
	UnreadableFiles int         `json:"unreadableFiles,omitempty" jsonschema:"minimum=0" jsonschema_description:"How many files and folders could not be read."`
	Note            string      `json:"note,omitempty" jsonschema_description:"What to know about this answer."`
}

type grepMatch struct {
	Path   string   `json:"path"`
	Line   int      `json:"line" jsonschema:"minimum=1" jsonschema_description:"Counted from 1."`
	Text   string   `json:"text" jsonschema_description:"The line."`
	Before []string `json:"before,omitempty" jsonschema_description:"Context: the lines just before."`
	After  []string `json:"after,omitempty" jsonschema_description:"Context: the lines just after."`
}

// search is one call of grep. The walk puts every file on two queues: jobs, for
// whichever worker is free, and order, in which the answers are taken. So the
// files are searched in parallel and the first matches are still the first.
type search struct {
	w       *Workspace
	pattern *pattern
	context int
	limit   int
	secret  []fs.FileInfo
	jobs    chan *searchJob
	order   chan *searchJob
}

type searchJob struct {
	path string
	done chan found // one answer, buffered
}

var buffersPool = sync.Pool{New: func() any { return new(buffers) }}

func (w *Workspace) grep(ctx context.Context, a grepArgs) (*grepResult, error) {
	limit := cmp.Or(a.Limit, defGrepLimit)
	if limit < 1 || limit > maxGrepLimit {
		return nil, fail(KindInvalid, "", "limit must be from 1 to %d", maxGrepLimit)
	}
	if a.ContextLines < 0 || a.ContextLines > maxContextLines {
		return nil, fail(KindInvalid, "", "contextLines must be from 0 to %d", maxContextLines)
	}
	pat, err := parsePattern(a.Pattern, a.IgnoreCase)
	if err != nil {
		return nil, err
	}
	var only globSet
	if a.Glob != "" {
		if only, err = parseGlob(a.Glob); err != nil {
			return nil, err
		}
	}
	p, err := w.existing(cmp.Or(a.Path, "."), true, nil)
	if err != nil {
		return nil, err
	}
	p.close()
	if !p.info.IsDir() && !p.info.Mode().IsRegular() {
		return nil, notAFile(p.given, p.info)
	}
	workers := runtime.GOMAXPROCS(0)
	s := &search{
		w: w, pattern: pat, context: a.ContextLines, limit: limit + 1, // one more tells that there are more
		secret: existingInfos(w.opts.Secret),
		jobs:   make(chan *searchJob, workers*jobsPerWorker),
		order:  make(chan *searchJob, workers*jobsPerWorker),
	}
	k := &walker{w: w, includeIgnored: a.IncludeIgnored}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	k.visit = func(rel string, typ fs.FileMode) error {
		if !typ.IsRegular() || only != nil && !wanted(only, a.Glob, p.rel, rel) {
			return nil
		}
		return s.put(inner, rel)
	}
	if only != nil && strings.Contains(a.Glob, "/") {
		k.enter = func(rel string) bool { return only.mayHold(below(p.rel, rel)) }
	}

	var group sync.WaitGroup
	group.Go(func() {
		defer close(s.order)
		defer close(s.jobs)
		if p.info.IsDir() {
			_ = k.walk(inner, p.rel) // only the end of inner stops it, and that is seen below
		} else {
			_ = s.put(inner, p.rel)
		}
	})
	for range workers {
		group.Go(func() { s.work(inner) })
	}
	res := s.collect(inner, limit)
	stop()
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res.UnreadableFiles += k.unreadable
	switch {
	case res.Truncated:
		res.UnreadableFiles = 0 // depends on how far the walk got
		res.Note = "there are more matches: narrow the pattern, the path or the glob, or raise limit"
	case res.FilesSearched > 0 || res.BinarySkipped > 0:
	case k.ignored > 0:
		res.Note = "no file was searched, and some were left out because .gitignore names them: includeIgnored searches them too"
	default:
		res.Note = "no file was searched: nothing fits the path and the glob"
	}
	return res, nil
}

// wanted applies the glob filter. One without a slash means the file's name.
func wanted(only globSet, glob, start, rel string) bool {
	if !strings.Contains(glob, "/") || start == rel {
		return only.matches(path.Base(rel))
	}
	return only.matches(below(start, rel))
}

func (s *search) put(ctx context.Context, rel string) error {
	j := &searchJob{path: rel, done: make(chan found, 1)}
	for _, queue := range []chan *searchJob{s.order, s.jobs} {
		select {
		case queue <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *search) work(ctx context.Context) {
	for j := range s.jobs {
		if s.w.acquire(ctx) != nil {
			return
		}
		f, err := s.one(ctx, j.path)
		s.w.release()
		if err != nil {
			f = found{unreadable: true}
		}
		j.done <- f
	}
}

// one searches one file, while a token is held.
func (s *search) one(ctx context.Context, rel string) (found, error) {
	f, info, err := openFile(s.w.root, rel, rel, os.O_RDONLY)
	if err != nil {
		return found{}, err
	}
	defer f.Close()
	if err := readable(rel, info, s.secret); err != nil {
		return found{}, err
	}
	buf := buffersPool.Get().(*buffers)
	defer buffersPool.Put(buf)
	sr := &searcher{scan: scan{p: s.pattern}, path: rel, context: s.context, limit: s.limit, buf: buf}
	if err := sr.file(ctx, f); err != nil {
		return found{}, err
	}
	return sr.found, nil
}

// collect takes the answers in the order of the walk, until there are enough.
func (s *search) collect(ctx context.Context, limit int) *grepResult {
	res := &grepResult{Matches: []grepMatch{}}
	shown := 0
	for j := range s.order {
		var f found
		select {
		case f = <-j.done:
		case <-ctx.Done():
			return res
		}
		switch {
		case f.unreadable:
			res.UnreadableFiles++
			continue
		case f.binary:
			res.BinarySkipped++
			continue
		}
		res.FilesSearched++
		res.Matches = append(res.Matches, f.matches...)
		shown += f.bytes
		if len(res.Matches) > limit {
			res.Matches, res.Truncated = res.Matches[:limit], true
			return res
		}
		if shown > maxGrepBytes {
			res.Truncated = true
			return res
		}
	}
	return res
}
