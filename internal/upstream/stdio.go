package upstream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// readBuffer is the size of one read from a server, in bytes.
	readBuffer = 64 << 10
	// writeTimeout is how long a server may leave its input unread.
	writeTimeout = 20 * time.Second
	// maxEdge is how much is kept of each end of a line that is too long, to find
	// out which call it answers.
	maxEdge = 512
	// messageOverhead is what a message may have besides a result, in bytes.
	messageOverhead = 1 << 20
)

// maxMessage bounds one message. A result may double in JSON when it is text.
func (p *peer) maxMessage() int { return 2*int(p.m.maxResult.Load()) + messageOverhead }

// pipeConn speaks JSON lines with a child. What is no message is dropped and
// counted, never fatal; a line that is too long fails the call that it answers.
type pipeConn struct {
	child *child
	in    *bufio.Reader
	max   int
	queue []jsonrpc.Message // the rest of a batch

	mu sync.Mutex // held while writing
}

func newPipeConn(c *child, limit int) *pipeConn {
	return &pipeConn{child: c, in: bufio.NewReaderSize(c.stdout, readBuffer), max: limit}
}

var _ mcp.Connection = (*pipeConn)(nil)

// SessionID is empty: a process is its own session.
func (c *pipeConn) SessionID() string { return "" }

// Write sends one line.
func (c *pipeConn) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.child.stdin.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err = c.child.stdin.Write(append(text, '\n'))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = c.Close() // half a line went out: nothing after it would be read right
		return fmt.Errorf("the server has not read its input for %v", writeTimeout)
	}
	return err
}

// Read gives the next message.
func (c *pipeConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			msg := c.queue[0]
			c.queue = c.queue[1:]
			return msg, nil
		}
		line, size, err := c.line()
		if size > len(line) {
			if msg := tooLong(line, size, c.max); msg != nil {
				return msg, nil
			}
			c.drop(line)
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			c.decode(line)
		}
		if err != nil && len(c.queue) == 0 {
			return nil, io.EOF
		}
	}
}

// line reads one line. Of one that is too long it gives both ends, and the size
// of the whole.
func (c *pipeConn) line() (line []byte, size int, err error) {
	for {
		part, err := c.in.ReadSlice('\n')
		size += len(part)
		if size <= c.max {
			line = append(line, part...)
		} else {
			line = append(line[:min(len(line), 2*maxEdge)], part...)
			if len(line) > 2*maxEdge {
				line = append(line[:maxEdge], line[len(line)-maxEdge:]...)
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// decode puts the messages of a line into the queue.
func (c *pipeConn) decode(line []byte) {
	if !utf8.Valid(line) {
		c.child.mended.Add(1)
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	switch line[0] {
	case '{':
		if msg := decodeMessage(line); msg != nil {
			c.queue = append(c.queue, msg)
			return
		}
	case '[': // a batch, until 2025-03-26
		var batch []json.RawMessage
		if json.Unmarshal(line, &batch) == nil {
			for _, one := range batch {
				if msg := decodeMessage(one); msg != nil {
					c.queue = append(c.queue, msg)
				}
			}
			if len(c.queue) > 0 {
				return
			}
		}
	}
	c.drop(line)
}

func decodeMessage(text []byte) jsonrpc.Message {
	msg, err := jsonrpc.DecodeMessage(text)
	if err == nil {
		return msg
	}
	// Some servers leave the version out.
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || fields["jsonrpc"] != nil || fields["method"] == nil && fields["id"] == nil {
		return nil
	}
	fields["jsonrpc"] = json.RawMessage(`"2.0"`)
	if text, err = json.Marshal(fields); err != nil {
		return nil
	}
	if msg, err = jsonrpc.DecodeMessage(text); err != nil {
		return nil
	}
	return msg
}

// drop keeps what may explain a failure later.
func (c *pipeConn) drop(line []byte) {
	c.child.dropped.Add(1)
	_, _ = c.child.said.Write(append(bytes.Clone(line[:min(len(line), maxEdge)]), '\n'))
}

var (
	idFirst = regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,`)
	idLast  = regexp.MustCompile(`,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)
)

// tooLong is the answer to the call whose result was too long to be read, or nil
// when that can't be told from the ends of the line.
func tooLong(ends []byte, size, limit int) jsonrpc.Message {
	m := idFirst.FindSubmatch(ends)
	if m == nil {
		m = idLast.FindSubmatch(ends)
	}
	if m == nil {
		return nil
	}
	var number float64
	if json.Unmarshal(m[1], &number) != nil {
		return nil
	}
	id, err := jsonrpc.MakeID(number)
	if err != nil {
		return nil
	}
	return &jsonrpc.Response{ID: id, Error: &tooLargeError{size: size, limit: limit}}
}

// Close ends both directions. The child is ended by its owner.
func (c *pipeConn) Close() error {
	c.child.closeInput()
	return c.child.stdout.SetReadDeadline(time.Now())
}
