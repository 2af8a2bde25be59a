package workspace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"codemode-mcp/internal/policy"
)

var readSpec = spec{
	name: "read_file", title: "Read a file", role: policy.Viewer, readOnly: true, idempotent: true,
	description: "Read a UTF-8 text file, whole or the lines startLine to endLine (from 1, both included). " +
		"Line breaks come as they are in the file. At most 256 KiB at once: when truncated is true, note says which line to go on with. " +
		"Binary files are refused. To find a place in a big file, use grep first.",
}

type readArgs struct {
	Path      string `json:"path" jsonschema:"minLength=1" jsonschema_description:"The file, relative to the workspace root."`
	StartLine int    `json:"startLine,omitempty" jsonschema:"minimum=1,default=1" jsonschema_description:"The first line to give."`
	EndLine   int    `json:"endLine,omitempty" jsonschema:"minimum=1" jsonschema_description:"The last line to give. Default: the last of the file."`
}

type readResult struct {
	Path       string `json:"path" jsonschema_description:"The file, relative to the workspace root."`
	Content    string `json:"content" jsonschema_description:"The text of the lines."`
	TotalLines int    `json:"totalLines" jsonschema:"minimum=0" jsonschema_description:"How many lines the file has."`
	StartLine  int    `json:"startLine" jsonschema:"minimum=1" jsonschema_description:"The first line given."`
	EndLine    int    `json:"endLine" jsonschema:"minimum=0" jsonschema_description:"The last line given. 0 for an empty file."`
	Truncated  bool   `json:"truncated" jsonschema_description:"Whether lines that were asked for are missing from content."`
	Note       string `json:"note,omitempty" jsonschema_description:"How to read on."`
}

func (w *Workspace) read(ctx context.Context, a readArgs) (*readResult, error) {
	start, end := max(a.StartLine, 1), a.EndLine
	if end != 0 && end < start {
		return nil, fail(KindInvalid, a.Path, "endLine %d is before startLine %d", end, start)
	}
	p, err := w.existing(a.Path, true, nil)
	if err != nil {
		return nil, err
	}
	defer p.close()
	f, info, err := openFile(p.dir, p.base, p.given, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := readable(p.given, info, existingInfos(w.opts.Secret)); err != nil {
		return nil, err
	}
	lr := &lineReader{start: start, end: end, line: 1}
	if err := lr.read(ctx, f); err != nil {
		return nil, osError(p.given, err)
	}
	if lr.binary || bytes.IndexByte(lr.out, 0) >= 0 {
		return nil, fail(KindNotText, p.given, "it is a binary file of %d bytes, not text", info.Size())
	}
	if start > max(lr.total, 1) {
		return nil, fail(KindInvalid, p.given, "startLine %d is past the end: the file has %d lines", start, lr.total)
	}
	content := lr.content()
	if !utf8.Valid(content) {
		return nil, fail(KindNotText, p.given, "it is not valid UTF-8 text: see the byte at offset %d of the lines asked for", invalidAt(content)).
			hint("grep can search it, but it can't be read or edited here")
	}
	res := &readResult{
		Path: p.rel, Content: string(content), TotalLines: lr.total, StartLine: start, EndLine: lr.last, Truncated: lr.full,
	}
	switch {
	case lr.cutLine:
		res.Note = fmt.Sprintf("line %d alone is longer than %d bytes, so only its head is here; use grep to look further into it", start, maxReadBytes)
		if start < lr.total {
			res.Note += fmt.Sprintf(", or go on with startLine %d", start+1)
		}
	case lr.full:
		res.Note = fmt.Sprintf("%d bytes are the most one call gives; read on with startLine %d", maxReadBytes, lr.last+1)
	}
	return res, nil
}

// invalidAt gives the offset of the first byte that is not UTF-8.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// lineReader keeps the lines start to end of a file and counts all of them.
type lineReader struct {
	start, end int // end 0: to the last

	out     []byte
	line    int // the line the next byte belongs to
	last    int // the last line kept whole
	total   int
	lineAt  int // where the current line begins in out
	full    bool
	cutLine bool
	binary  bool
}

func (l *lineReader) read(ctx context.Context, r io.Reader) error {
	buf := make([]byte, sniffBytes*8)
	var ending byte = '\n'
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		chunk := buf[:n]
		if first && bytes.IndexByte(chunk[:min(n, sniffBytes)], 0) >= 0 {
			l.binary = true
			return nil
		}
		if n > 0 {
			ending = chunk[n-1]
			l.take(chunk)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	l.total = l.line - 1
	if ending != '\n' {
		l.total++
		if !l.full && l.wants(l.line) {
			l.last = l.line
		}
	}
	return nil
}

func (l *lineReader) wants(line int) bool {
	return line >= l.start && (l.end == 0 || line <= l.end)
}

func (l *lineReader) take(chunk []byte) {
	for len(chunk) > 0 {
		if l.full || l.line >= l.start && !l.wants(l.line) { // only the count is left
			l.line += bytes.Count(chunk, []byte("\n"))
			return
		}
		piece, whole := chunk, false
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			piece, whole = chunk[:i+1], true
		}
		if l.wants(l.line) {
			l.keep(piece, whole)
		}
		chunk = chunk[len(piece):]
		if whole {
			l.line++
			l.lineAt = len(l.out)
		}
	}
}

// keep adds a part of the current line. When that is too much, the line goes
// again, unless it is the only one: then its head stays.
func (l *lineReader) keep(piece []byte, whole bool) {
	if len(l.out)+len(piece) <= maxReadBytes {
		l.out = append(l.out, piece...)
		if whole {
			l.last = l.line
		}
		return
	}
	l.full = true
	if l.lineAt > 0 {
		l.out = l.out[:l.lineAt]
		return
	}
	l.out = append(l.out, piece[:maxReadBytes-len(l.out)]...)
	l.cutLine, l.last = true, l.line
}

// content is what was kept, without half a character at the end.
func (l *lineReader) content() []byte {
	if !l.cutLine {
		return l.out
	}
	for i := 1; i < utf8.UTFMax && i <= len(l.out); i++ {
		tail := l.out[len(l.out)-i:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return l.out[:len(l.out)-i]
			}
			break
		}
	}
	return l.out
}
