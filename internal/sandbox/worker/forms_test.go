package worker

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/script"
)

// Each row of the table of forms gives what it says, in the real engine.
func TestForms(t *testing.T) {
	w := harness(t)
	for _, form := range script.Forms {
		t.Run(form.Habit, func(t *testing.T) {
			r, err := w.newRunner()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { w.current.clear(); r.close() }()
			var sent bytes.Buffer
			w.frames = &sent
			body := wire.Append(nil, wire.Run, 0, []byte(`{"maxArgs":1000,"maxResult":1000,"maxLog":1000}`), []byte(form.Source), []byte("{}"), nil)
			f, err := wire.NewReader(bytes.NewReader(body), wire.MaxFrame).Next()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.run(f); err != nil {
				t.Fatal(err)
			}
			var done wire.Frame
			for frames := wire.NewReader(&sent, wire.MaxFrame); done.Kind != wire.Done; {
				if done, err = frames.Next(); err != nil {
					t.Fatalf("no end: %v", err)
				}
			}
			parts, err := done.Parts(4)
			if err != nil {
				t.Fatal(err)
			}
			if form.Refused == "" {
				if string(parts[0]) != "ok" || string(parts[1]) != form.Result || !strings.Contains(string(parts[2]), form.Note) || form.Note == "" && string(parts[2]) != "[]" {
					t.Errorf("%q: %s %s %s", form.Source, parts[0], parts[1], parts[2])
				}
				return
			}
			var failure wire.Failure
			if err := json.Unmarshal(parts[1], &failure); err != nil {
				t.Fatalf("%s %s", parts[0], parts[1])
			}
			if failure.Kind != "syntax_error" || !strings.Contains(failure.Message, form.Refused) || !strings.Contains(failure.Hint, form.Hint) {
				t.Errorf("%q: %+v", form.Source, failure)
			}
		})
	}
}
