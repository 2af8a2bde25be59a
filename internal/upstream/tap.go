package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tap stands between the SDK's client and a connection, and keeps the answers
// that somebody asked for as they came: the SDK decodes numbers as float64 and
// objects as maps, which loses large integers and the order of keys, and it
// refuses a whole result for one block of a type it does not know.
//
// A request whose context holds a [cell] has its answer put there; the SDK gets
// an empty one. It also answers server/discover itself when the server ignores
// it, so that the SDK goes on with initialize.
type tap struct {
	mcp.Connection
	patience time.Duration
	revision func(string) // told of the revision that initialize agreed on; may be nil

	mu      sync.Mutex
	cells   map[jsonrpc.ID]*cell // guarded by mu
	asked   jsonrpc.ID           // guarded by mu: the number of server/discover, while open
	cancel  context.CancelFunc   // guarded by mu: ends the sending of server/discover
	timer   *time.Timer          // guarded by mu
	knows   bool                 // guarded by mu: server/discover was answered or given up
	started jsonrpc.ID           // guarded by mu: the number of initialize, while open

	extra    chan jsonrpc.Message // messages that come beside the connection; nil: none do
	direct   bool                 // used by the reader alone: nothing is waited for beside messages
	incoming chan read            // used by the reader alone
	fake     chan jsonrpc.Message
	closed   chan struct{}
	once     sync.Once
}

type read struct {
	msg  jsonrpc.Message
	err  error
	last bool // the reader reads for itself from now on
}

func newTap(inner mcp.Connection, patience time.Duration) *tap {
	return &tap{Connection: inner, patience: patience, direct: patience == 0, cells: map[jsonrpc.ID]*cell{}, cancel: func() {},
		fake: make(chan jsonrpc.Message, 1), closed: make(chan struct{})}
}

// beside makes the tap take messages that come beside the connection. Call it before
// the first Read.
func (t *tap) beside() {
	t.extra, t.direct = make(chan jsonrpc.Message), false
}

// deliver hands on a message that came beside the connection.
func (t *tap) deliver(msg jsonrpc.Message) {
	select {
	case t.extra <- msg:
	case <-t.closed:
	}
}

// cell takes one answer as it came.
type cell struct {
	id  jsonrpc.ID
	raw json.RawMessage
}

type cellKey struct{}

// withCell asks for the raw answer of the request made with the context.
func withCell(ctx context.Context, c *cell) context.Context {
	return context.WithValue(ctx, cellKey{}, c)
}

// Write notes whose answer is wanted.
func (t *tap) Write(ctx context.Context, msg jsonrpc.Message) error {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return t.Connection.Write(ctx, msg)
	}
	t.mu.Lock()
	if c, ok := ctx.Value(cellKey{}).(*cell); ok {
		delete(t.cells, c.id) // a second round of the same call
		c.id = req.ID
		t.cells[req.ID] = c
	}
	switch req.Method {
	case "initialize":
		t.started = req.ID
	case "server/discover":
		if t.patience > 0 {
			t.asked = req.ID
			ctx, t.cancel = context.WithCancel(ctx) // over HTTP, Write waits for the answer
			t.timer = time.AfterFunc(t.patience, t.giveUp)
		}
	}
	t.mu.Unlock()
	return t.Connection.Write(ctx, msg)
}

// giveUp answers server/discover in the server's stead.
func (t *tap) giveUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.asked.IsValid() {
		return
	}
	t.fake <- &jsonrpc.Response{ID: t.asked, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer"}}
	t.asked, t.knows = jsonrpc.ID{}, true
	t.cancel()
}

// Read gives the next message. The SDK calls it from one goroutine. Until
// server/discover is settled it waits for the server and for [tap.giveUp].
func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	if t.direct {
		select {
		case msg := <-t.fake:
			return msg, nil
		default:
		}
		msg, err := t.Connection.Read(ctx)
		return t.look(msg), err
	}
	if t.incoming == nil {
		t.incoming = make(chan read)
		go t.pump(ctx)
	}
	select {
	case r := <-t.incoming:
		t.direct = r.last
		return r.msg, r.err
	case msg := <-t.fake:
		return msg, nil
	case msg := <-t.extra:
		return t.look(msg), nil
	case <-t.closed:
		return nil, io.EOF
	}
}

// pump reads for Read until server/discover is settled.
func (t *tap) pump(ctx context.Context) {
	for {
		msg, err := t.Connection.Read(ctx)
		r := read{msg: t.look(msg), err: err}
		t.mu.Lock()
		r.last = t.extra == nil && t.knows || err != nil
		t.mu.Unlock()
		select {
		case t.incoming <- r:
		case <-t.closed:
			return
		}
		if r.last {
			return
		}
	}
}

// look keeps the answers that are wanted.
func (t *tap) look(msg jsonrpc.Message) jsonrpc.Message {
	res, ok := msg.(*jsonrpc.Response)
	if !ok {
		return msg
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked.IsValid() && res.ID == t.asked {
		t.asked, t.knows = jsonrpc.ID{}, true
		t.timer.Stop()
	}
	if t.started.IsValid() && res.ID == t.started {
		t.started = jsonrpc.ID{}
		if t.revision != nil {
			var init struct {
				Revision string `json:"protocolVersion"`
			}
			if json.Unmarshal(res.Result, &init) == nil {
				t.revision(init.Revision)
			}
		}
	}
	c := t.cells[res.ID]
	if c == nil || res.Error != nil || asksForInput(res.Result) {
		return msg
	}
	delete(t.cells, res.ID)
	c.raw = res.Result
	return &jsonrpc.Response{ID: res.ID, Result: stub(res.Result)}
}

// forget ends the wait for an answer.
func (t *tap) forget(c *cell) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cells, c.id)
}

// Close ends the connection.
func (t *tap) Close() error {
	t.once.Do(func() {
		close(t.closed)
		t.mu.Lock()
		if t.timer != nil {
			t.timer.Stop()
		}
		t.cancel()
		t.mu.Unlock()
	})
	return t.Connection.Close()
}

// asksForInput reports whether a result is a question (2026-07-28), which the SDK
// must see.
func asksForInput(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte(`"input_required"`)) {
		return false
	}
	var top map[string]json.RawMessage
	return json.Unmarshal(raw, &top) == nil && string(top["resultType"]) == `"input_required"`
}

// stub is what the SDK gets in place of an answer: enough to be one. A list whose
// tools ask for headers stays as it is, without its cache time: the SDK sets those
// headers by it.
func stub(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`"x-mcp-header"`)) {
		return json.RawMessage(`{"content":[],"tools":[]}`)
	}
	var list struct {
		Tools json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(raw, &list) != nil || list.Tools == nil {
		return json.RawMessage(`{"content":[],"tools":[]}`)
	}
	return json.RawMessage(`{"tools":` + string(list.Tools) + `}`)
}
