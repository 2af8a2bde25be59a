package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/surface"
)

// host is the one function of the isolate that reaches Go. The prelude keeps it
// to itself; all its arguments are strings, but for call numbers.
func (r *runner) host(info *v8.FunctionCallbackInfo) (*v8.Value, error) {
	defer info.Release()
	args := info.Args()
	if len(args) == 0 {
		return nil, errors.New("host: no verb")
	}
	// What is no primitive could run the script's code while it is turned into one,
	// and what that throws nobody catches.
	text := func(i int) string {
		if i >= len(args) || !args[i].IsString() {
			return ""
		}
		return args[i].String()
	}
	number := func(i int) float64 {
		if i >= len(args) || !args[i].IsNumber() {
			return 0
		}
		return args[i].Number()
	}
	// Nothing reaches the host from a source that leaves its wrapper and runs while
	// it is evaluated, and nothing that a finished script still does.
	if !r.script.begun || r.script.done {
		return nil, nil
	}
	switch verb := text(0); verb {
	case "enter":
		if r.script.entry != nil { // once; the prelude has no such call
			r.enter()
		}
		return nil, nil
	case "call":
		mode, path, body := []byte(text(2)), []byte(text(3)), []byte(text(4))
		if len(body) > r.script.maxArgs {
			return nil, v8.NewRangeError(r.iso, fmt.Sprintf("tools.%s: the arguments have %d bytes, at most %d are taken", path, len(body), r.script.maxArgs))
		}
		r.script.open++
		return nil, r.sending(r.w.send(wire.Call, uint32(number(1)), mode, path, body))
	case "log":
		return nil, r.sending(r.w.send(wire.Log, 0, []byte(text(1)), []byte(text(2))))
	case "place":
		return v8.NewValue(r.iso, r.script.prepared.Place(text(1)))
	case "done":
		status, body := text(1), []byte(text(2))
		r.script.done = true
		if status != "ok" {
			body = r.locate(body)
		}
		return nil, r.sending(r.w.send(wire.Done, 0, []byte(status), body, r.unhandled([]byte(text(3))), []byte(text(4))))
	case "emit":
		block := []byte(text(1))
		if wire.Size(block) > wire.MaxFrame {
			return nil, v8.NewRangeError(r.iso, fmt.Sprintf("emit: a block of %d MB is too large", len(block)>>20))
		}
		return nil, r.sending(r.w.send(wire.Emit, 0, block))
	case wire.AskState:
		_, state, err := r.ask(wire.AskState, nil)
		return r.text(state, err)
	case wire.AskFinish:
		return r.text(r.finish(text(1), text(2), text(3)))
	case wire.AskSearch, wire.AskDescribe:
		return r.text(r.question(verb, text(1)))
	case wire.AskSpent:
		_, _, err := r.ask(wire.AskSpent, nil)
		return nil, err
	case wire.AskMedia:
		return r.text(r.media(text(1)))
	case "timer":
		r.script.addTimer(uint32(number(1)), time.Duration(number(2)*float64(time.Millisecond)))
		return nil, nil
	case "untimer":
		r.script.dropTimer(uint32(number(1)))
		return nil, nil
	case "part":
		value, keep, err := r.load(text(1))
		if err == nil {
			keep()
		}
		return value, err
	case "random":
		return r.text(randomBytes(uint32(number(1))))
	case "digest":
		return r.text(digest(text(1), text(2)))
	case "kind":
		return v8.NewValue(r.iso, r.w.names.kind(text(1)))
	case "names":
		return v8.NewValue(r.iso, r.w.names.list(text(1)))
	default:
		return nil, fmt.Errorf("host: unknown verb %q", verb)
	}
}

func (r *runner) text(s string, err error) (*v8.Value, error) {
	if err != nil {
		return nil, err
	}
	return v8.NewValue(r.iso, s)
}

// unhandled adds the rejections that nobody handled to the warnings.
func (r *runner) unhandled(warnings []byte) []byte {
	found := r.rejections()
	if len(found) == 0 {
		return warnings
	}
	var all []string
	if err := json.Unmarshal(warnings, &all); err != nil {
		return warnings
	}
	for _, text := range found {
		all = append(all, "a promise was rejected and nobody handled it: "+text)
	}
	out, err := json.Marshal(all)
	if err != nil {
		return warnings
	}
	return out
}

// hint says what to do about an exception, where that is known.
func (r *runner) hint(f wire.Failure) string {
	if m := undefinedName.FindStringSubmatch(f.Message); m != nil {
		if escape := "&" + m[1] + ";"; htmlNames[m[1]] && strings.Contains(f.Excerpt, escape) {
			return "the script is escaped for HTML (" + escape + "): send the character itself"
		}
		return surface.Instead(m[1], r.script.prepared.Declared(), r.w.names.paths())
	}
	if strings.HasPrefix(f.Message, "TypeError") && readsInput.MatchString(f.Excerpt) {
		return inputHint(r.script.input)
	}
	return ""
}

// htmlNames are the names of characters that are operators in a program.
var htmlNames = map[string]bool{"lt": true, "gt": true, "amp": true, "quot": true, "apos": true}

// undefinedName matches what V8 says of a name that is not there.
var undefinedName = regexp.MustCompile(`^ReferenceError: ([^ ]+) is not defined$`)

// readsInput matches a line that reads the input of the run.
var readsInput = regexp.MustCompile(`\b(?:args|arguments)\s*(?:\.|\?\.|\[)`)

// maxInputNames is how many names of the input a hint lists.
const maxInputNames = 20

// inputHint says which names the input has.
func inputHint(input string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &fields) != nil {
		return ""
	}
	if len(fields) == 0 {
		return `args is empty: pass the input of the script in "arguments" of the call`
	}
	names := slices.Sorted(maps.Keys(fields))
	more := ""
	if len(names) > maxInputNames {
		names, more = names[:maxInputNames], " and more"
	}
	return "args has the names " + strings.Join(names, ", ") + more
}

// sending remembers a descriptor that failed: the loop ends the worker. Without
// the host there is nobody to tell.
func (r *runner) sending(err error) error {
	if err != nil {
		r.script.err = err
	}
	return nil
}

// locate turns the stack that the prelude saw into the author's positions.
func (r *runner) locate(body []byte) []byte {
	var f wire.Failure
	if err := json.Unmarshal(body, &f); err != nil {
		return body
	}
	name := ""
	if m := undefinedName.FindStringSubmatch(f.Message); m != nil {
		name = m[1]
	}
	pos := r.script.prepared.Locate(f.Stack, name)
	f.Line, f.Column, f.Excerpt, f.Stack = pos.Line, pos.Column, pos.Excerpt, pos.Stack
	if f.Message == "Error: Not supported" && strings.Contains(f.Excerpt, "import(") { // V8's words where no loader is
		f.Message, f.Hint = "Error: import() is not supported", surface.Instead("import", nil, nil)
	}
	if f.Hint == "" {
		f.Hint = r.hint(f)
	}
	out, err := json.Marshal(f)
	if err != nil {
		return body
	}
	return out
}
