package worker

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// ask puts a question to the host and waits for the answer, in the middle of the
// script. Answers to tool calls that come meanwhile are kept for the loop.
func (r *runner) ask(verb string, body []byte) (ok bool, answer string, err error) {
	if err := r.w.send(wire.Ask, 0, []byte(verb), body); err != nil {
		return false, "", r.sending(err)
	}
	for {
		f, _, err := r.w.nextFrame(time.Time{})
		if err != nil {
			r.script.err = err
			return false, "", err
		}
		if f.Kind != wire.Reply {
			return false, "", fmt.Errorf("the host sent %c in a run", f.Kind)
		}
		if f.ID != 0 {
			r.script.queue = append(r.script.queue, f)
			continue
		}
		parts, err := f.Parts(2)
		if err != nil {
			return false, "", err
		}
		return string(parts[0]) == "ok", string(parts[1]), nil
	}
}

// finish offers a result to the host. When it is taken the run is over there and
// then: the script is terminated, and its isolate with it. Otherwise it gives the
// JSON list of what does not fit.
func (r *runner) finish(result, warnings, state string) (violations string, err error) {
	ok, answer, err := r.ask(wire.AskFinish, []byte(result))
	if err != nil || !ok {
		return answer, err
	}
	r.script.done, r.script.finished = true, true
	err = r.sending(r.w.send(wire.Done, 0, []byte("ok"), []byte(result), r.unhandled([]byte(warnings)), []byte(state)))
	r.iso.TerminateExecution()
	return "", err
}

// question asks the host and gives the JSON of its answer, or the reason it gave
// for having none.
func (r *runner) question(verb, body string) (string, error) {
	ok, answer, err := r.ask(verb, []byte(body))
	if err != nil || ok {
		return answer, err
	}
	var why string
	if err := json.Unmarshal([]byte(answer), &why); err != nil {
		return "", fmt.Errorf("%s: %w", verb, err)
	}
	return "", errors.New(why)
}

// media gives the bytes that a handle stands for, as a string of bytes.
func (r *runner) media(name string) (string, error) {
	body, err := json.Marshal(name)
	if err != nil {
		return "", err
	}
	answer, err := r.question(wire.AskMedia, string(body))
	if err != nil {
		return "", err
	}
	var text string
	if err := json.Unmarshal([]byte(answer), &text); err != nil {
		return "", fmt.Errorf("read media: %w", err)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("read media: %w", err)
	}
	return byteString(data), nil
}
