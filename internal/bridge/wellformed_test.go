package bridge

import (
	"encoding/json"
	"testing"
)

func TestWellFormed(t *testing.T) {
	for in, want := range map[string]string{
		`"abc"`:                   `"abc"`,
		`"\ud800"`:                `"\ufffd"`,
		`"\uDFFFx"`:               `"\ufffdx"`,
		`"\ud83d\ude00"`:          `"\ud83d\ude00"`,
		`"\ude00\ud83d"`:          `"\ufffd\ufffd"`,
		`"\ud83d\ud83d\ude00"`:    `"\ufffd\ud83d\ude00"`,
		`"\\ud800"`:               `"\\ud800"`,
		`"\\\ud800"`:              `"\\\ufffd"`,
		`{"\ud800":["\n\ud9ff"]}`: `{"\ufffd":["\n\ufffd"]}`,
	} {
		if got := string(wellFormed(json.RawMessage(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add(`"\ud800\\\udc00\u00e9"`)
	f.Fuzz(func(t *testing.T, in string) {
		out := wellFormed(json.RawMessage(in))
		if json.Valid([]byte(in)) != json.Valid(out) || len(out) != len(in) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}
