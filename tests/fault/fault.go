// Package fault is an MCP server written by hand, so that it can do on demand what
// no SDK would: it plays the faults that tests want a client to live with. It also
// replays catalogs of real servers.
//
// A test binary becomes such a server when it is started with [Variable] set and
// calls [Main] first.
package fault

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Variable names the fault that a child plays, with its argument after "=".
const Variable = "CODEMODE_TEST_FAULT"

// Main plays and ends the process when [Variable] is set.
func Main() {
	if name := os.Getenv(Variable); name != "" {
		play(name)
		os.Exit(0)
	}
}

// fault is one server. Each fault is a few answers that differ from a healthy
// server's.
type fault struct {
	mu      sync.Mutex
	out     *bufio.Writer
	catalog json.RawMessage // what a replay serves
	stub    *stub           // what a stub serves
}

type wireRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Cursor    string          `json:"cursor"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

func (f *fault) raw(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.out.WriteString(s)
	f.out.Flush()
}

func (f *fault) answer(id json.RawMessage, result string) {
	f.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result))
}

func (f *fault) refuse(id json.RawMessage, code int, msg string) {
	f.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`+"\n", id, code, msg))
}

const echoTool = `{"name":"echo","inputSchema":{"type":"object"}}`

func text(s string) string {
	b, _ := json.Marshal(s)
	return `{"content":[{"type":"text","text":` + string(b) + `}]}`
}

// play serves on stdio until the input ends.
func play(name string) {
	name, arg, _ := strings.Cut(name, "=")
	if name == "asks" {
		playAsks()
		return
	}
	f := &fault{out: bufio.NewWriter(os.Stdout)}
	once := func() bool { // true in the first life only
		file, err := os.OpenFile(arg, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			file.Close()
		}
		return err == nil
	}
	switch name {
	case "mute":
		time.Sleep(time.Hour)
	case "exits":
		fmt.Fprintln(os.Stderr, "cannot find the database; the password is "+os.Getenv("PASSWORD"))
		os.Exit(3)
	case "garbage":
		f.raw("Server listening...\n\n{not json\n\"text\"\n[1,2]\n{\"foo\":1}\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}` + "\n")
		f.raw(`{"method":"log","params":{"level":30},"id":"516923ed"}` + "\n" + `{"jsonrpc":"2.0","id":"r1","method":"roots/list"}` + "\n")
	case "stderr":
		go func() {
			line := strings.Repeat("x", 1000) + "\n"
			for range 100_000 {
				os.Stderr.WriteString(line)
			}
		}()
	case "grandchild":
		exec.Command("sleep", "600").Start()
		c := exec.Command("sleep", "601")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		c.Start()
		os.WriteFile(arg, []byte(fmt.Sprint(c.Process.Pid)), 0o600)
	case "slow":
		time.Sleep(1500 * time.Millisecond)
	case "stub":
		f.stub = readStub(arg)
	case "replay":
		f.catalog = readCatalog(arg)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	added := false
	cancelled := map[string]chan struct{}{}
	var mu sync.Mutex
	for in.Scan() {
		var r wireRequest
		if json.Unmarshal(in.Bytes(), &r) != nil {
			continue
		}
		switch r.Method {
		case "server/discover":
			switch name {
			case "ignores": // what it does not know
			case "picky": // ends on it
				os.Exit(1)
			case "late": // answers long after it was given up
				go func(id json.RawMessage) {
					time.Sleep(4 * time.Second)
					f.refuse(id, -32601, "Method not found")
				}(r.ID)
			default:
				f.refuse(r.ID, -32601, "Method not found")
			}
		case "initialize":
			revision := "2025-06-18"
			if name == "old" {
				revision = "2024-11-05"
			}
			f.answer(r.ID, `{"protocolVersion":"`+revision+`","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fault","version":"1"}}`)
		case "tools/list":
			switch {
			case f.stub != nil:
				f.answer(r.ID, f.stub.list())
			case f.catalog != nil:
				f.answer(r.ID, `{"tools":`+string(f.catalog)+`}`)
			case name == "cursor":
				f.answer(r.ID, `{"tools":[`+echoTool+`],"nextCursor":"8"}`)
			case name == "pages":
				servePage(f, r)
			case name == "list" && added:
				f.answer(r.ID, `{"tools":[`+echoTool+`,{"name":"more","inputSchema":{"type":"object"}}]}`)
			case name == "odd":
				f.answer(r.ID, `{"tools":[`+echoTool+`,{"name":"echo"},{"name":""},7,{"name":"noschema"},{"name":"badschema","inputSchema":"x"},`+
					`{"name":"ordered","inputSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}},{"name":"__proto__","inputSchema":{"type":"object"}},{"name":"by_id","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}`)
			default:
				f.answer(r.ID, `{"tools":[`+echoTool+`]}`)
			}
		case "notifications/cancelled":
			mu.Lock()
			if c := cancelled[string(r.Params.RequestID)]; c != nil {
				close(c)
			}
			mu.Unlock()
		case "tools/call":
			if f.stub != nil {
				go f.stub.call(f, r)
				break
			}
			call := "call"
			var args struct {
				Do string `json:"do"`
			}
			json.Unmarshal(r.Params.Arguments, &args)
			if args.Do != "" {
				call = args.Do
			}
			switch call {
			case "die":
				if once() {
					fmt.Fprintln(os.Stderr, "panic: out of cheese")
					os.Exit(7)
				}
				f.answer(r.ID, text("alive again"))
			case "add":
				added = true
				f.answer(r.ID, text("added"))
				for range 5 {
					f.raw(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n")
				}
			case "huge":
				f.raw(`{"result":` + text(strings.Repeat("x", 50<<20)) + `,"jsonrpc":"2.0","id":` + string(r.ID) + "}\n")
			case "hugefirst":
				f.answer(r.ID, text(strings.Repeat("x", 50<<20)))
			case "wrongid":
				f.answer(json.RawMessage("999999"), text("for nobody"))
				f.answer(json.RawMessage(`"`+string(r.ID)+`"`), text("for nobody"))
				f.raw(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}` + "\n")
			case "twice":
				f.answer(r.ID, text("one"))
				f.answer(r.ID, text("two"))
			case "utf8":
				f.raw(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":{"content":[{"type":"text","text":"a` + "\xff\xfe" + `b"}]}}` + "\n")
			case "bytes":
				for _, b := range []byte(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":` + text("héllo – 👍🏽 漢字") + "}\n") {
					f.raw(string([]byte{b}))
					time.Sleep(time.Millisecond)
				}
			case "sleep", "sleeptold":
				c := make(chan struct{})
				mu.Lock()
				cancelled[string(r.ID)] = c
				mu.Unlock()
				if arg != "" {
					os.WriteFile(arg, []byte("asleep"), 0o600)
				}
				go func(id json.RawMessage) {
					select {
					case <-c:
						if arg != "" {
							os.WriteFile(arg, []byte("cancelled"), 0o600)
						}
					case <-time.After(time.Minute):
						f.answer(id, text("late"))
					}
				}(r.ID)
			case "gate":
				go f.gate(r)
			case "progress":
				f.raw(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(r.Params.Meta.Token) + `,"progress":1,"total":2,"message":"half"}}` + "\n")
				time.Sleep(100 * time.Millisecond)
				f.answer(r.ID, text("done"))
			case "env":
				b, _ := json.Marshal(os.Environ())
				f.answer(r.ID, `{"content":[],"structuredContent":{"env":`+string(b)+`}}`)
			case "rpc":
				f.refuse(r.ID, -32602, "MCP error -32602: MCP error -32602: boom")
			default:
				f.answer(r.ID, resultFor(call, r))
			}
		case "ping":
			f.answer(r.ID, "{}")
		}
	}
	if name == "stubborn" {
		time.Sleep(time.Hour)
	}
}

// servePage gives 120 tools in pages of 50: the second is empty, the last has an
// empty cursor.
func servePage(f *fault, r wireRequest) {
	part := func(from, to int) string {
		var out []string
		for i := from; i < to; i++ {
			out = append(out, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, i))
		}
		return strings.Join(out, ",")
	}
	switch r.Params.Cursor {
	case "":
		f.answer(r.ID, `{"tools":[`+part(0, 50)+`],"nextCursor":"a"}`)
	case "a":
		f.answer(r.ID, `{"tools":[],"nextCursor":"b"}`)
	case "b":
		f.answer(r.ID, `{"tools":[`+part(50, 100)+`],"nextCursor":"c"}`)
	default:
		f.answer(r.ID, `{"tools":[`+part(100, 120)+`],"nextCursor":""}`)
	}
}

// resultFor gives results of odd shapes.
func resultFor(call string, r wireRequest) string {
	switch call {
	case "null":
		return `{"content":null}`
	case "nothing":
		return `{}`
	case "media":
		return `{"content":[{"type":"text","text":"two"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"},` +
			`{"type":"resource","resource":{"uri":"x://a","mimeType":"application/zip","blob":"aGk="}},` +
			`{"type":"resource","resource":{"uri":"x://b","text":"plain"}}]}`
	case "hologram":
		return `{"content":[{"type":"hologram","x":1},{}]}`
	case "error":
		return `{"content":[{"type":"text","text":"quota exceeded"}],"isError":true}`
	case "big":
		return `{"content":[],"structuredContent":{"z":9007199254740993,"a":12345678901234567890}}`
	}
	return `{"content":[{"type":"text","text":"echo"}],"structuredContent":{"args":` + string(r.Params.Arguments) + `}}`
}

// readCatalog gives the tools of a recorded catalog, on one line.
func readCatalog(path string) json.RawMessage {
	var file struct {
		Tools json.RawMessage `json:"tools"`
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	var line bytes.Buffer
	if err == nil {
		err = json.Compact(&line, file.Tools)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return line.Bytes()
}
