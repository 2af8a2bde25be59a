package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostileScript is one file of the corpus. tests/hostile/README.md describes the
// header.
type hostileScript struct {
	name    string
	attack  string
	expect  []string      // the kind of a failure, or "value" and JSON, any or cut
	bound   time.Duration // beyond the deadline; negative is before it
	message string        // what the message must hold
	calls   int           // the tool calls that must have counted, or -1
	script  string
}

var (
	headerLine = regexp.MustCompile(`^// (attack|expect|bound|message|calls): (.+)$`)
	boundForm  = regexp.MustCompile(`^deadline ([+-]) (\d+) ms$`)
	// repeatForm stands for a long text that no file should hold.
	repeatForm = regexp.MustCompile(`/\*repeat (\d+) ("(?:[^"\\]|\\.)*")\*/`)
)

func loadHostile(t *testing.T, group string) []hostileScript {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("hostile", group, "*.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no hostile scripts in %s: %v", group, err)
	}
	var out []hostileScript
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseHostile(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s.name = group + "/" + strings.TrimSuffix(filepath.Base(path), ".js")
		out = append(out, s)
	}
	return out
}

// parseHostile splits a file into its header and the script, and writes out what
// is to be repeated.
func parseHostile(text string) (hostileScript, error) {
	s := hostileScript{calls: -1}
	bounded := false
	for {
		line, rest, _ := strings.Cut(text, "\n")
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			break
		}
		text = rest
		switch m[1] {
		case "attack":
			s.attack = m[2]
		case "expect":
			s.expect = strings.Split(m[2], " | ")
		case "message":
			s.message = m[2]
		case "calls":
			n, err := strconv.Atoi(m[2])
			if err != nil {
				return s, fmt.Errorf("calls: %w", err)
			}
			s.calls = n
		case "bound":
			b := boundForm.FindStringSubmatch(m[2])
			if b == nil {
				return s, fmt.Errorf("bound %q is not of the form: deadline + 500 ms", m[2])
			}
			ms, err := strconv.Atoi(b[1] + b[2])
			if err != nil {
				return s, fmt.Errorf("bound: %w", err)
			}
			s.bound, bounded = time.Duration(ms)*time.Millisecond, true
		}
	}
	if s.attack == "" || len(s.expect) == 0 || !bounded {
		return s, fmt.Errorf("the header needs attack, expect and bound")
	}
	s.script = repeatForm.ReplaceAllStringFunc(strings.TrimSuffix(text, "\n"), func(form string) string {
		m := repeatForm.FindStringSubmatch(form)
		n, _ := strconv.Atoi(m[1])
		unit, err := strconv.Unquote(m[2])
		if err != nil {
			panic("BUG: a repeated text is not quoted: " + form)
		}
		return strings.Repeat(unit, n)
	})
	return s, nil
}

// verdict compares the end of a run with the header.
func (s hostileScript) verdict(env envelope, took, deadline, noise time.Duration) error {
	if !s.endedWell(env) {
		return fmt.Errorf("ended as %s (%s, result %.200s), want %s", ended(env), cutText(env.Message), env.Result, strings.Join(s.expect, " or "))
	}
	if s.message != "" && !strings.Contains(env.Message, s.message) {
		return fmt.Errorf("the message is %q, want %q in it", cutText(env.Message), s.message)
	}
	if s.calls >= 0 && env.Count != s.calls {
		return fmt.Errorf("%d tool calls were counted, want %d", env.Count, s.calls)
	}
	if limit := deadline + s.bound + noise; took > limit {
		return fmt.Errorf("answered after %v, at most %v is allowed", took.Round(time.Millisecond), limit)
	}
	return nil
}

func (s hostileScript) endedWell(env envelope) bool {
	for _, want := range s.expect {
		value, isValue := strings.CutPrefix(want, "value ")
		switch {
		case !isValue && env.Kind == want:
			return true
		case isValue && env.Error == "" && (value == "any" || value == "cut" && env.Truncated || sameJSON(value, env.Result)):
			return true
		}
	}
	return false
}

// sameJSON compares two JSON texts but for their white space.
func sameJSON(want string, got json.RawMessage) bool {
	var a, b any
	if json.Unmarshal([]byte(want), &a) != nil || json.Unmarshal(got, &b) != nil {
		return false
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func cutText(s string) string { return s[:min(len(s), 300)] }
