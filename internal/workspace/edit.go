package workspace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"codemode-mcp/internal/policy"
)

var editSpec = spec{
	name: "edit_file", title: "Edit a file", role: policy.Editor, destructive: true,
	description: "Replace a piece of a text file. oldText must be in the file exactly once, byte for byte with its spaces and line breaks, " +
		"unless replaceAll is true. Take it from read_file and include enough lines around it to be unique. " +
		"Edits of one file that run in parallel wait for each other. " + protectedNote,
}

type editArgs struct {
	Path       string `json:"path" jsonschema:"minLength=1" jsonschema_description:"The file, relative to the workspace root."`
	OldText    string `json:"oldText" jsonschema:"minLength=1" jsonschema_description:"The text to replace."`
	NewText    string `json:"newText" jsonschema_description:"The text to put in its place. Empty to delete."`
	ReplaceAll bool   `json:"replaceAll,omitempty" jsonschema:"default=false" jsonschema_description:"Replace every occurrence."`
}

type editResult struct {
	Path         string `json:"path" jsonschema_description:"The file, relative to the workspace root."`
	Replacements int    `json:"replacements" jsonschema:"minimum=1"`
	Lines        []int  `json:"lines" jsonschema_description:"Where the replaced text began, counted before the edit. The first 20."`
}

func (w *Workspace) edit(ctx context.Context, a editArgs) (*editResult, error) {
	switch {
	case a.OldText == "":
		return nil, fail(KindInvalid, a.Path, "oldText is empty").hint("write_file creates or replaces a whole file")
	case a.OldText == a.NewText:
		return nil, fail(KindInvalid, a.Path, "oldText and newText are the same, so nothing would change")
	}
	p, unlock, err := w.target(ctx, a.Path, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	defer unlock()
	if p.info == nil {
		return nil, notFound(p)
	}
	f, info, err := openFile(p.dir, p.base, p.given, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxWriteBytes+1))
	if err != nil {
		return nil, osError(p.given, err)
	}
	switch {
	case len(text) > maxWriteBytes:
		return nil, fail(KindTooLarge, p.given, "the file is %d bytes, and up to %d can be edited", info.Size(), maxWriteBytes)
	case bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text):
		return nil, fail(KindNotText, p.given, "it is not UTF-8 text, so it can't be edited")
	}
	old, replacement := []byte(a.OldText), []byte(a.NewText)
	count := bytes.Count(text, old)
	lines := linesOf(text, old)
	if count == 0 {
		return nil, noMatch(p.given, text, old)
	}
	if count > 1 && !a.ReplaceAll {
		return nil, fail(KindNotMatch, p.given, "oldText is there %d times, at lines %s", count, joinLines(lines, count)).
			hint("add the lines around the one you mean, or set replaceAll")
	}
	if size := len(text) + count*(len(replacement)-len(old)); size > maxWriteBytes {
		return nil, fail(KindTooLarge, p.given, "the file would be %d bytes, and %d are allowed", size, maxWriteBytes)
	}
	if err := p.replace(ctx, bytes.ReplaceAll(text, old, replacement), info); err != nil {
		return nil, err
	}
	return &editResult{Path: p.rel, Replacements: count, Lines: lines}, nil
}

// linesOf gives the lines, from 1, at which old stands in text; the first few.
func linesOf(text, old []byte) []int {
	var lines []int
	line := 1
	for len(lines) < maxReportedLines {
		i := bytes.Index(text, old)
		if i < 0 {
			break
		}
		line += bytes.Count(text[:i], []byte("\n"))
		lines = append(lines, line)
		line += bytes.Count(old, []byte("\n"))
		text = text[i+len(old):]
	}
	return lines
}

func joinLines(lines []int, count int) string {
	s := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines), " ", ", "), "[]")
	if count > len(lines) {
		s += ", ..."
	}
	return s
}

// noMatch says why oldText may not be found: models lose line breaks and
// indentation more often than words.
func noMatch(given string, text, old []byte) error {
	e := fail(KindNotMatch, given, "oldText is not in the file")
	unix := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
	if lines := linesOf(unix(text), unix(old)); len(lines) > 0 {
		have, sent := `\r\n`, `\n`
		if !bytes.Contains(text, []byte("\r\n")) {
			have, sent = sent, have
		}
		return e.hint(`it would match at line %d if line breaks did not count: the file has %s there, and oldText has %s`, lines[0], have, sent)
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(old), []byte("\n"))
	if first = bytes.TrimSpace(first); len(first) > 0 {
		if lines := linesOf(text, first); len(lines) > 0 {
			return e.hint("its first line is at line %s, but the spaces around it or what follows differ: read the file there again", joinLines(lines, len(lines)))
		}
	}
	return e.hint("read the file again and copy the text exactly")
}
