package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// lie is one way to break the protocol in a run, and what the run must come to.
type lie struct {
	end  End
	tell func(f *fake)
}

func header(size uint32, kind byte, id uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, size)
	return binary.LittleEndian.AppendUint32(append(b, kind), id)
}

// sends is a lie of one frame after which the worker waits to be killed.
func sends(kind wire.Kind, id uint32, parts ...string) lie {
	return lie{Crashed, func(f *fake) { f.send(kind, id, parts...); select {} }}
}

// writes is a lie of raw bytes after which the worker waits to be killed.
func writes(b ...byte) lie {
	return lie{Crashed, func(f *fake) { f.raw(b); select {} }}
}

// thenEnds is a lie of raw bytes after which the worker ends.
func thenEnds(b ...byte) lie {
	return lie{Crashed, func(f *fake) { f.raw(b); exit(0) }}
}

// A worker without words whose run is cut at the deadline.
func stalls(b ...byte) lie {
	return lie{TimedOut, func(f *fake) { f.raw(b); select {} }}
}

var fakeLies map[string]lie

func init() { // a plain initialiser would refer to itself through TestMain
	fakeLies = map[string]lie{
		"garbage":          writes([]byte("this is not a frame at all")...),
		"zeros":            writes(make([]byte, 100)...),
		"oversized":        writes(header(0xffffffff, 'D', 0)...),
		"oversized-by-one": writes(header(wire.MaxFrame+1, 'D', 0)...),
		"unknown-kind":     writes(header(0, 'Z', 0)...),
		"kind-zero":        writes(header(0, 0, 0)...),
		"sends-run":        sends(wire.Run, 0, "{}", "return 1", "{}", ""),
		"sends-reply":      sends(wire.Reply, 1, "ok", "1"),
		"asks-twice-at-once": {Crashed, func(f *fake) {
			f.send(wire.Ask, 0, "never", "1")
			f.send(wire.Ask, 0, "never", "1")
			select {}
		}},
		"ask-of-one-part":           sends(wire.Ask, 0, "finish"),
		"emit-without-a-body":       sends(wire.Emit, 0),
		"emit-of-two-parts":         sends(wire.Emit, 0, "{}", "{}"),
		"done-of-three-parts":       sends(wire.Done, 0, "ok", "1", "[]"),
		"state-not-json":            sends(wire.Done, 0, "ok", "1", "[]", "{"),
		"state-of-wrong-types":      sends(wire.Done, 0, "ok", "1", "[]", `{"set":[1],"delete":{"a":1}}`),
		"ready-in-a-run":            sends(wire.Ready, 0, string([]byte{wire.Version}), "{}"),
		"ready-of-another-build":    sends(wire.Ready, 0, "\x63", "{}"),
		"ready-without-a-body":      sends(wire.Ready, 0),
		"call-zero":                 sends(wire.Call, 0, "v", "a.tool", "{}"),
		"call-without-arguments":    sends(wire.Call, 1, "v", "a.tool"),
		"call-of-nine-parts":        sends(wire.Call, 1, "v", "a", "b", "c", "d", "e", "f", "g", "h"),
		"call-of-a-giant-name":      sends(wire.Call, 1, "v", strings.Repeat("n", maxPath+1), "{}"),
		"parts-overrun":             writes(append(header(8, 'C', 1), 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4)...),
		"parts-leave-a-rest":        writes(append(header(5, 'L', 0), 0, 0, 0, 0, 1)...),
		"log-of-an-unknown-level":   sends(wire.Log, 0, "fatal", "text"),
		"log-of-a-giant-level":      sends(wire.Log, 0, strings.Repeat("l", 1<<20), "text"),
		"log-of-a-giant-line":       sends(wire.Log, 0, "log", strings.Repeat("l", maxLine+1)),
		"log-of-one-part":           sends(wire.Log, 0, "log"),
		"done-without-a-body":       sends(wire.Done, 0),
		"done-not-json":             sends(wire.Done, 0, "ok", "{", "[]", ""),
		"done-empty":                sends(wire.Done, 0, "ok", "", "[]", ""),
		"done-of-two-values":        sends(wire.Done, 0, "ok", "1 2", "[]", ""),
		"done-of-an-unknown-status": sends(wire.Done, 0, "maybe", "1", "[]", ""),
		"failure-not-json":          sends(wire.Done, 0, "err", "no", "[]", ""),
		"failure-of-wrong-types":    sends(wire.Done, 0, "err", `{"kind":"exception","message":7}`, "[]", ""),
		"failure-of-no-kind":        sends(wire.Done, 0, "err", `{}`, "[]", ""),
		"failure-claims-a-timeout":  sends(wire.Done, 0, "err", `{"kind":"timeout","message":"forged"}`, "[]", ""),
		"failure-claims-a-limit":    sends(wire.Done, 0, "err", `{"kind":"tool_call_limit","message":"forged"}`, "[]", ""),
		"failure-claims-a-cancel":   sends(wire.Done, 0, "err", `{"kind":"cancelled","message":"forged"}`, "[]", ""),
		"warnings-not-json":         sends(wire.Done, 0, "ok", "1", "[", ""),
		"warnings-of-wrong-types":   sends(wire.Done, 0, "ok", "1", `[{"a":1}]`, ""),
		"warnings-no-list":          sends(wire.Done, 0, "ok", "1", `"text"`, ""),
		"ends-at-once":              thenEnds(),
		"ends-in-a-header":          thenEnds(1, 0, 0),
		"ends-in-a-body":            thenEnds(append(header(100, 'D', 0), 1, 2, 3)...),
		"ends-after-a-call":         thenEnds(wire.Append(nil, wire.Call, 1, []byte("v"), []byte("a.slow"), []byte("{}"))...),
		"stalls":                    stalls(),
		"stalls-in-a-header":        stalls(5, 0),
		"stalls-in-a-body":          stalls(append(header(wire.MaxFrame, 'D', 0), 1, 2, 3)...),
		"hangs-up":                  {Crashed, func(f *fake) { f.frames.Close(); select {} }},
		"panics":                    {Crashed, func(*fake) { panic("last words") }},
		"says-it-is-out-of-memory":  {OutOfMemory, func(*fake) { fmt.Fprintln(os.Stderr, "# Fatal process out of memory: Zone"); exit(1) }},
		"leaves-the-group":          {TimedOut, func(f *fake) { f.leaveGroup(); select {} }},
		"number-twice": {Crashed, func(f *fake) {
			f.send(wire.Call, 7, "v", "a.tool", "{}")
			f.send(wire.Call, 7, "v", "a.tool", "{}")
			select {}
		}},
		"numbers-fall": {Crashed, func(f *fake) {
			f.send(wire.Call, 7, "v", "a.tool", "{}")
			f.send(wire.Call, 6, "v", "a.tool", "{}")
			select {}
		}},
		"calls-without-end": {Crashed, func(f *fake) {
			var batch []byte
			for id := uint32(1); ; id++ {
				batch = wire.Append(batch, wire.Call, id, []byte("v"), []byte("a.slow"), []byte("{}"))
				if len(batch) > 1<<16 {
					f.raw(batch)
					batch = batch[:0]
				}
			}
		}},
		"logs-without-end": {TimedOut, func(f *fake) {
			for {
				f.send(wire.Log, 0, "log", strings.Repeat("x", maxLine))
			}
		}},
		"stderr-without-end": {TimedOut, func(*fake) { floodStderr() }},
		"asks-and-does-not-read": {TimedOut, func(f *fake) { // each answer has a megabyte
			for id := uint32(1); id < 20; id++ {
				f.send(wire.Call, id, "v", "a.large", "{}")
			}
			select {}
		}},
		// What comes after the end of a run can't change it; the worker goes.
		"done-twice": {Returned, func(f *fake) {
			f.returns(f.id)
			f.returns("forged")
			select {}
		}},
		"call-after-done": {Returned, func(f *fake) {
			f.returns(f.id)
			f.send(wire.Call, 1, "v", "a.tool", "{}")
			select {}
		}},
		"garbage-after-done": {Returned, func(f *fake) {
			f.returns(f.id)
			f.raw([]byte("garbage"))
			select {}
		}},
		"ready-twice-after-done": {Returned, func(f *fake) {
			f.returns(f.id)
			f.ready()
			f.ready()
			f.ready()
			select {}
		}},
		"ends-after-done": {Returned, func(f *fake) {
			f.returns(f.id)
			exit(0)
		}},
		"many-warnings": {Returned, func(f *fake) {
			text, _ := json.Marshal(strings.Split(strings.Repeat(strings.Repeat("w", 5000)+",", 100), ","))
			f.send(wire.Done, 0, "ok", fmt.Sprintf("%q", f.id), string(text), "")
		}},
	}
}

// lieDeadline is a run's wall time in these tests: long enough for a worker that
// has something to say, short enough to wait for one that has not.
const lieDeadline = 400 * time.Millisecond

// Whatever a worker says, its run ends as it should and in time, and the next run
// finds a healthy worker.
func TestLyingWorker(t *testing.T) {
	p := newPool(t, Options{Command: fakeCommand(t, "deaf"), MaxWorkers: 2})
	h := &handler{}
	for word, lie := range fakeLies {
		t.Run(word, func(t *testing.T) {
			deadline := honestDeadline // a worker that says something is heard, however busy the machine is
			if lie.end == TimedOut {
				deadline = lieDeadline
			}
			start := time.Now()
			out := p.Run(context.Background(), "alice", Job{Script: word, Timeout: deadline}, h)
			took := time.Since(start)
			if out.End != lie.end {
				t.Errorf("ended as %d (%s), want %d", out.End, out.Detail, lie.end)
			}
			if out.End == Crashed && out.Detail == "" {
				t.Error("nobody is told why")
			}
			if out.End == Returned && string(out.Result) == `"forged"` {
				t.Error("the second word counted")
			}
			if size := len(fmt.Sprint(out.Warnings)) + len(out.Detail); size > maxWarnings*(maxWarning+10)+4000 {
				t.Errorf("%d bytes of warnings and detail", size)
			}
			if took > deadline+noise {
				t.Errorf("took %v", took)
			}
			next := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, h)
			for try := 0; word == "ready-twice-after-done" && try < 100 && (next.End == Crashed || string(next.Result) == string(out.Result)); try++ {
				// It was ready, and is once more at some moment: until then it serves.
				time.Sleep(10 * time.Millisecond)
				next = p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, h)
			}
			if next.End != Returned || string(next.Result) == string(out.Result) && word != "many-warnings" {
				t.Errorf("the next run: %d %s %s", next.End, next.Result, next.Detail)
			}
		})
	}
}

// A worker that takes a script and reads nothing more can't hold the caller,
// however large the script is.
func TestWorkerThatDoesNotRead(t *testing.T) {
	p := newPool(t, Options{Command: fakeCommand(t, "ready-and-deaf"), MaxWorkers: 1})
	start := time.Now()
	out := p.Run(context.Background(), "alice", Job{Script: strings.Repeat("x", 8<<20), Timeout: lieDeadline}, &handler{})
	if took := time.Since(start); out.End != Crashed || took > lieDeadline+noise {
		t.Errorf("ended as %d after %v", out.End, took)
	}
}
