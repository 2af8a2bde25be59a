package fault

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// stub is a server whose tools, results and errors stand in a file. A tool without
// a result of its own gives {"tool": its name, "args": what came}; one that is not
// listed takes any object.
type stub struct {
	Tools   []json.RawMessage          `json:"tools"`
	Results map[string]json.RawMessage `json:"results"`
	// Errors are JSON-RPC errors.
	Errors map[string]json.RawMessage `json:"errors"`
	// Delays are milliseconds before the answer.
	Delays map[string]int `json:"delays"`
	// Echo names tools that answer with the text of their argument "message".
	Echo []string `json:"echo"`
	// Repeat makes the text of a result long: it is repeated so many times.
	Repeat map[string]int `json:"repeat"`
}

// readStub reads the file and completes the list of tools.
func readStub(path string) *stub {
	s := &stub{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	listed := map[string]bool{}
	for _, t := range s.Tools {
		var tool struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(t, &tool) == nil {
			listed[tool.Name] = true
		}
	}
	add := func(name string) {
		if !listed[name] {
			listed[name] = true
			s.Tools = append(s.Tools, json.RawMessage(fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name)))
		}
	}
	for name := range s.Results {
		add(name)
	}
	for name := range s.Errors {
		add(name)
	}
	for name := range s.Delays {
		add(name)
	}
	for _, name := range s.Echo {
		add(name)
	}
	return s
}

func (s *stub) list() string {
	out := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		out[i] = oneLine(t)
	}
	return `{"tools":[` + strings.Join(out, ",") + `]}`
}

// call answers one call.
func (s *stub) call(f *fault, r wireRequest) {
	name := r.Params.Name
	time.Sleep(time.Duration(s.Delays[name]) * time.Millisecond)
	if e := s.Errors[name]; e != nil {
		f.raw(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"error":` + oneLine(e) + "}\n")
		return
	}
	if res := s.Results[name]; res != nil {
		line := oneLine(res)
		if n := s.Repeat[name]; n > 0 {
			line = strings.ReplaceAll(line, "%REPEAT%", strings.Repeat("z", n))
		}
		f.answer(r.ID, line)
		return
	}
	for _, echo := range s.Echo {
		var args struct {
			Message string `json:"message"`
		}
		if echo == name && json.Unmarshal(r.Params.Arguments, &args) == nil {
			f.answer(r.ID, text(args.Message))
			return
		}
	}
	args := "null" // none came
	if len(r.Params.Arguments) > 0 {
		args = string(r.Params.Arguments)
	}
	f.answer(r.ID, fmt.Sprintf(`{"content":[],"structuredContent":{"tool":%q,"args":%s}}`, name, args))
}

// oneLine takes the line breaks out of a JSON text. Everything else stays as it is
// written: what a test sends is what arrives.
func oneLine(text json.RawMessage) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(string(text))
}
