package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/jsonrpc"
	"codemode-mcp/internal/policy"
)

// maxLine bounds one message from the client, in bytes: the largest script and the
// largest arguments that the limits allow, the script in the longest of its spellings.
const maxLine = 48 << 20

// ServeStdio serves one client on the two streams until it goes or ctx ends.
//
// The SDK's own stdio transport ends the session at the first line that is not
// JSON, and drops the answers under way when the input ends. This one answers a
// bad line with an error and waits for the answers that a one-shot pipe wants.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, s.stop)()
	w := &lineWriter{out: out, owed: map[any]int{}, idle: make(chan struct{}, 1)}
	r := &lineReader{in: bufio.NewReaderSize(in, 64<<10), w: w, ctx: ctx,
		patience: s.patience}
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: -1})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// patience is how long the longest request may still take when the input ends.
func (s *Server) patience() time.Duration {
	l := s.limits()
	longest := max(l.Timeout()+l.QueueWait(), l.CallTimeout())
	for _, t := range s.opts.Dispatch.Catalog().Visible(policy.Principal{Role: policy.Admin}) {
		longest = max(longest, t.Timeout)
	}
	return longest + l.HumanWait() + 5*time.Second // to end it and to answer
}

// lineReader gives the SDK only lines that are JSON-RPC messages.
type lineReader struct {
	in       *bufio.Reader
	w        *lineWriter
	ctx      context.Context
	patience func() time.Duration
	line     []byte // what the SDK has not read yet
}

// Read gives whole lines. At the end of the input it waits for open answers.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, err := r.next()
		if err != nil {
			r.w.drain(r.ctx, r.patience())
			return 0, err
		}
		m, reason, code := check(line)
		if reason != "" {
			if !m.Answer { // to an answer nothing is answered: two who do would never end
				r.w.refuse(m.ID, code, reason)
			}
			continue
		}
		if m.ID != nil && m.Method != "subscriptions/listen" { // that one ends with the input
			r.w.opened(m.ID)
		}
		r.line = line
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// Close does nothing: stdin is not ours to close.
func (r *lineReader) Close() error { return nil }

// next reads one line that is not empty, its newline included. A line above the
// bound is skipped whole and answered, so that the session goes on.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.readLine()
		if errors.Is(err, errLongLine) {
			r.w.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: a message may have %d bytes at most", maxLine))
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return append(line, '\n'), nil // the last line may lack its newline
		}
		if err != nil {
			return nil, err
		}
	}
}

var errLongLine = errors.New("line is too long")

func (r *lineReader) readLine() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil && long:
			return nil, errLongLine
		default:
			return line, err
		}
	}
}

// check says why a line is not a message that can be served.
func check(line []byte) (m jsonrpc.Message, reason string, code int) {
	if !json.Valid(line) {
		return m, "parse error: the line is not JSON", jsonrpc.CodeParseError
	}
	if line[0] != '{' {
		return m, "invalid request: want one JSON-RPC object a line", jsonrpc.CodeInvalidRequest
	}
	m, problem := jsonrpc.Parse(line)
	if problem != "" {
		return m, "invalid request: " + problem, jsonrpc.CodeInvalidRequest
	}
	return m, paramsProblem(m), jsonrpc.CodeInvalidParams
}

// lineWriter writes whole lines and counts the answers that are still owed.
type lineWriter struct {
	mu   sync.Mutex
	out  io.Writer
	owed map[any]int   // guarded by mu: requests without an answer, by id
	idle chan struct{} // told when there are none any more
}

// Write takes one message of the SDK.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.out.Write(p)
	if id, ok := answered(p); ok && w.owed[id] > 0 {
		if w.owed[id]--; w.owed[id] == 0 {
			delete(w.owed, id)
		}
		if len(w.owed) == 0 {
			select {
			case w.idle <- struct{}{}:
			default:
			}
		}
	}
	return n, err
}

// Close does nothing: stdout is not ours to close.
func (w *lineWriter) Close() error { return nil }

func (w *lineWriter) opened(id json.RawMessage) {
	key, _, ok := idOf(id)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.owed[key]++
}

func (w *lineWriter) refuse(id json.RawMessage, code int, reason string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, _ := json.Marshal(reason) // a string always encodes
	w.mu.Lock()
	defer w.mu.Unlock()
	// A client that is gone is noticed by the reader.
	_, _ = fmt.Fprintf(w.out, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, code, text)
}

// drain waits until every request has its answer, unless nobody reads any more.
func (w *lineWriter) drain(ctx context.Context, patience time.Duration) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		w.mu.Lock()
		owed := len(w.owed)
		w.mu.Unlock()
		if owed == 0 || readerGone(w.out) {
			return
		}
		select {
		case <-w.idle:
		case <-look.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// answered gives the id of an answer as the SDK writes it: the id first, then result or
// error.
func answered(line []byte) (id any, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"jsonrpc":"2.0","id":`))
	if !ok {
		return nil, false
	}
	id, size, ok := idOf(rest)
	if !ok {
		return nil, false
	}
	rest = rest[size:]
	return id, bytes.HasPrefix(rest, []byte(`,"result"`)) || bytes.HasPrefix(rest, []byte(`,"error"`))
}

// maxIDText is more than any id takes that is served, in bytes, however it is written.
const maxIDText = 8 << 10

// idOf reads an id at the beginning of a text: a string, or a number as the SDK has it.
func idOf(text []byte) (id any, size int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text[:min(len(text), maxIDText)]))
	t, err := dec.Token()
	if err != nil {
		return nil, 0, false
	}
	switch t.(type) {
	case string, float64:
		return t, int(dec.InputOffset()), true
	}
	return nil, 0, false
}

// readerGone reports whether the other end of our output is closed.
func readerGone(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && pipeClosed(f)
}
