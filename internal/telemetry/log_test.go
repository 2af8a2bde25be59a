package telemetry

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"codemode-mcp/internal/dispatch"
)

// The audit log says who, what and how it ended, and nothing of the arguments.
func TestAudit(t *testing.T) {
	var out bytes.Buffer
	audit := Audit(NewLogger(&out, "info", "json"))
	audit(dispatch.Event{Tool: "s.login", Run: "r1", Err: &dispatch.Error{Kind: dispatch.InvalidArguments, Tool: "s.login", Message: `password: got "hunter2"`}})
	audit(dispatch.Event{Tool: "s.login", Err: errors.New("hunter2 is wrong")})
	got := out.String()
	for _, want := range []string{"s.login", "r1", "invalid_arguments", "failed"} {
		if !strings.Contains(got, want) {
			t.Errorf("the log lacks %q: %s", want, got)
		}
	}
	if strings.Contains(got, "hunter2") {
		t.Errorf("the log holds an argument: %s", got)
	}
}
