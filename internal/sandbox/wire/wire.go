// Package wire is the frame codec between the host and a worker.
//
// It owns the shape of a frame and its bounds, and nothing else: it starts no
// goroutine, keeps no clock and imports no other package of this module. Both
// sides treat the other as hostile, so every length is checked before anything
// is allocated for it.
//
// # The protocol
//
// A frame is a header of 9 bytes, little endian (body length uint32, kind
// uint8, id uint32), then the body. A worker says [Ready] first and again each
// time it has a fresh isolate. The host answers with one [Run]. A worker that has
// compiled a large script says [Begun]. During the run
// the worker sends [Call] (answered by one [Reply] with the same id, in any
// order), [Ask] (the worker waits for its [Reply], which has id 0), [Emit]
// and [Log]; it ends the run with one [Done]. After [Done] it makes a new
// isolate and says [Ready].
//
// A second descriptor, the control pipe, carries single bytes from the host:
// [Terminate] stops the script that runs; its end stops the worker.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is bumped with every change of the protocol. It opens the body of
// [Ready], so that a worker of another build is refused at once.
const Version = 4

// Kind says what a frame means.
type Kind uint8

// The kinds of frames.
const (
	// Ready (worker): a fresh isolate waits. Body: parts [version, info JSON].
	Ready Kind = 'Y'
	// Run (host): run a script. Body: parts [meta JSON, script, args JSON, names].
	Run Kind = 'R'
	// Begun (worker): the script was compiled and runs now. Sent once in a run, and
	// only for a script of at least [BegunFrom] bytes. No body.
	Begun Kind = 'B'
	// Call (worker): call a tool. Body: parts [mode, path, args JSON]. The mode
	// is "v" for the value or "r" for the raw result.
	Call Kind = 'C'
	// Ask (worker): a question that the script waits for synchronously.
	// Body: parts [verb, JSON].
	Ask Kind = 'Q'
	// Reply (host): the answer to a Call (its id, never 0) or an Ask (id 0).
	// Body: parts [status, JSON]. The status is "ok" or "err".
	Reply Kind = 'A'
	// Log (worker): one console line. Body: parts [level, text].
	Log Kind = 'L'
	// Emit (worker): a content block for the answer. Body: parts [JSON].
	Emit Kind = 'E'
	// Done (worker): the run is over. Body: parts [status, JSON, warnings JSON,
	// state JSON]. The status is "ok" with the result, or "err" with an [Failure].
	// The state is empty, or the [StateChange] of the run.
	Done Kind = 'D'
)

// Failure is the JSON of a Done frame whose status is "err". The host takes no
// word of it for more than what the script's own side says.
type Failure struct {
	// Kind is "syntax_error", "exception", "result_not_serializable",
	// "memory_limit" or "terminated".
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Line and Column count from 1 in the script as it was sent; 0 is unknown.
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Excerpt string `json:"excerpt,omitempty"`
	Stack   string `json:"stack,omitempty"`
	// Refused is the kind of the host's refusal of a call, when it is one that the
	// script did not catch.
	Refused string `json:"refused,omitempty"`
}

// TooLarge is the failure of a script that can't be compiled in a worker's memory.
var TooLarge = Failure{Kind: "syntax_error",
	Message: "SyntaxError: the script is too large or too deep: compiling it takes more memory than a run has",
	Hint:    "pass data in \"arguments\" instead of writing it into the script, or split the work over several runs"}

// TooSlow is the failure of a script whose compilation takes too long.
var TooSlow = Failure{Kind: "syntax_error",
	Message: "SyntaxError: the script is too large or too deep: the parser gave up on it",
	Hint:    TooLarge.Hint + "; plain JavaScript is parsed faster than TypeScript"}

// StateChange is what a run did to the session's state, by top-level key.
type StateChange struct {
	Set    map[string]json.RawMessage `json:"set"`
	Delete []string                   `json:"delete"`
}

// The verbs of an Ask.
const (
	// AskState wants the session's state, a JSON object.
	AskState = "state"
	// AskFinish offers a result. The answer is "ok", or "err" with the JSON list of
	// what does not fit.
	AskFinish = "finish"
	// AskSearch wants the tools that fit {"query": ..., "limit": ...}, AskDescribe the
	// declaration of the tool that a JSON string names. "err" comes with a JSON string.
	AskSearch   = "search"
	AskDescribe = "describe"
	// AskMedia wants the data of a handle, named by a JSON string. The answer is a
	// JSON string of base64, or "err" with a JSON string that says why not.
	AskMedia = "media"
	// AskSpent says that the script calls a tool again after it has heard that the
	// limit of calls is reached. The answer is the end of the run.
	AskSpent = "spent"
)

// Meta is the JSON of a Run frame's first part: the bounds that the worker keeps
// by itself. The host keeps its own besides.
type Meta struct {
	MaxArgs   int `json:"maxArgs"`   // one call's arguments, in bytes of JSON
	MaxResult int `json:"maxResult"` // the result, in UTF-16 units of JSON
	MaxLog    int `json:"maxLog"`    // all console output, in UTF-16 units
	MaxState  int `json:"maxState"`  // what a run changes of the state, in UTF-16 units of JSON
	Compile   int `json:"compile"`   // compiling, in milliseconds; 0 is unbounded
}

// Info is the JSON of a Ready frame's second part.
type Info struct {
	V8 string `json:"v8"`
	// Layers are the sandbox layers in force in the worker.
	Layers []string `json:"layers,omitempty"`
	// Missing are those that could not be had, each with its reason.
	Missing []string `json:"missing,omitempty"`
}

// BegunFrom is the size of a script, in bytes, from which a worker says [Begun]:
// compiling a smaller one can't take a worker's memory.
const BegunFrom = 4 << 10

// MaxFrame bounds the body of a frame in both directions, in bytes. It is above what
// the highest limits allow: a result of 12 Mi UTF-16 units with the changes of a state,
// a script with its arguments, the arguments of a call. Who sends looks first.
const MaxFrame = 64 << 20

// Terminate is the control byte that stops the running script.
const Terminate byte = 'T'

// headerSize is the length of a frame's header in bytes.
const headerSize = 9

// MaxParts bounds the parts of one body.
const MaxParts = 8

// Errors of the codec. Every one means that the peer can't be trusted any more.
var (
	// ErrTooLarge means that a frame announced a body above the bound.
	ErrTooLarge = errors.New("frame is larger than the limit")
	// ErrKind means that a frame's kind is not one of the protocol.
	ErrKind = errors.New("frame has an unknown kind")
	// ErrParts means that a body does not split into the parts it should have.
	ErrParts = errors.New("frame body is malformed")
)

// Frame is one message.
type Frame struct {
	Kind Kind
	// ID pairs a Reply with its Call. Zero for all other kinds.
	ID   uint32
	Body []byte
}

// Append appends a frame whose body is the given parts. It is the one way to
// encode a frame, so that a frame is always one write.
func Append(dst []byte, kind Kind, id uint32, parts ...[]byte) []byte {
	size := 0
	for _, p := range parts {
		size += 4 + len(p)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = append(dst, byte(kind))
	dst = binary.LittleEndian.AppendUint32(dst, id)
	for _, p := range parts {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(p)))
		dst = append(dst, p...)
	}
	return dst
}

// Size is the encoded size of a frame with these parts, in bytes.
func Size(parts ...[]byte) int {
	size := headerSize
	for _, p := range parts {
		size += 4 + len(p)
	}
	return size
}

// Parts splits a body into exactly n parts. The parts alias the body.
func (f Frame) Parts(n int) ([][]byte, error) {
	if n > MaxParts {
		return nil, ErrParts
	}
	out := make([][]byte, n)
	b := f.Body
	for i := range out {
		if len(b) < 4 {
			return nil, ErrParts
		}
		size := binary.LittleEndian.Uint32(b)
		b = b[4:]
		if uint64(size) > uint64(len(b)) {
			return nil, ErrParts
		}
		out[i], b = b[:size:size], b[size:]
	}
	if len(b) != 0 {
		return nil, ErrParts
	}
	return out, nil
}

// Reader reads frames. It is not safe for concurrent use.
type Reader struct {
	r    io.Reader
	max  int
	buf  []byte // what was read and not yet given out
	rest []byte // the unread tail of buf
}

// readChunk is how much is asked for at a time. Most frames fit in one chunk,
// so that one system call reads a whole frame or several.
const readChunk = 64 << 10

// NewReader reads frames with bodies of at most limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: r, max: limit, buf: make([]byte, readChunk)}
}

// Next reads one frame. At a clean end between two frames it returns io.EOF, in
// the middle of one io.ErrUnexpectedEOF. The body is the caller's to keep.
func (r *Reader) Next() (Frame, error) {
	var head [headerSize]byte
	if err := r.fill(head[:]); err != nil {
		return Frame{}, err
	}
	size := binary.LittleEndian.Uint32(head[0:4])
	f := Frame{Kind: Kind(head[4]), ID: binary.LittleEndian.Uint32(head[5:9])}
	if !f.Kind.known() {
		return Frame{}, fmt.Errorf("%w (0x%02x)", ErrKind, byte(f.Kind))
	}
	if uint64(size) > uint64(r.max) {
		return Frame{}, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, size, r.max)
	}
	body, err := r.body(int(size))
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Frame{}, err
	}
	f.Body = body
	return f, nil
}

// body reads size bytes. It allocates as the bytes arrive: a peer that announces
// much and sends little costs little.
func (r *Reader) body(size int) ([]byte, error) {
	if size <= len(r.rest) || size <= readChunk {
		b := make([]byte, size)
		return b, r.fill(b)
	}
	b := make([]byte, 0, readChunk)
	for len(b) < size {
		if len(b) == cap(b) {
			grown := make([]byte, len(b), min(2*cap(b), size))
			copy(grown, b)
			b = grown
		}
		n := len(b)
		b = b[:min(cap(b), size)]
		if err := r.fill(b[n:]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (r *Reader) fill(p []byte) error {
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	started := n > 0
	for n < len(p) {
		if len(p)-n >= readChunk { // large: read straight into the caller's memory
			m, err := r.r.Read(p[n:])
			n += m
			started = started || m > 0
			if err != nil && n < len(p) {
				return eof(err, started)
			}
			continue
		}
		m, err := r.r.Read(r.buf)
		r.rest = r.buf[:m]
		c := copy(p[n:], r.rest)
		n, r.rest = n+c, r.rest[c:]
		started = started || m > 0
		if err != nil && n < len(p) {
			return eof(err, started)
		}
	}
	return nil
}

// Buffered reports whether Next can begin without reading from the source.
func (r *Reader) Buffered() bool { return len(r.rest) > 0 }

func eof(err error, started bool) error {
	if started && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (k Kind) known() bool {
	switch k {
	case Ready, Run, Begun, Call, Ask, Reply, Log, Emit, Done:
		return true
	}
	return false
}
