package jsonrpc

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ raw, method, id, problem string }{
		{`{"jsonrpc":"2.0","method":"ping","id":1}`, "ping", "1", ""},
		{`{"jsonrpc":"2.0","method":"ping","id": "a" }`, "ping", `"a"`, ""},
		{`{"jsonrpc":"2.0","method":"ping","id":9007199254740991}`, "ping", "9007199254740991", ""},
		{`{"jsonrpc":"2.0","method":"ping","id":-9007199254740991}`, "ping", "-9007199254740991", ""},
		{`{"jsonrpc":"2.0","method":"ping"}`, "ping", "", ""},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, "", "", ""},
		{`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}`, "", "", ""},
		{`{"jsonrpc":"2.0","method":"ping","id":9007199254740992}`, "", "", "whole number"},
		{`{"jsonrpc":"2.0","method":"ping","id":9007199254740993}`, "", "", "whole number"},
		{`{"jsonrpc":"2.0","method":"ping","id":-9223372036854775809}`, "", "", "whole number"},
		{`{"jsonrpc":"2.0","method":"ping","id":1.5}`, "", "", "whole number"},
		{`{"jsonrpc":"2.0","method":"ping","id":1e3}`, "", "", "whole number"},
		{`{"jsonrpc":"2.0","method":"ping","id":null}`, "", "", `"id" must be a string`},
		{`{"jsonrpc":"2.0","method":"ping","id":[1]}`, "", "", `"id" must be a string`},
		{`{"jsonrpc":"2.0","method":"","id":1}`, "", "", `"method" must be a string`},
		{`{"jsonrpc":"2.0","method":5,"id":1}`, "", "", `"method" must be a string`},
		{`{"jsonrpc":"2.0","Method":"ping","id":1}`, "", "", `"method" is missing`},
		{`{"jsonrpc":"1.0","method":"ping"}`, "", "", `"jsonrpc" must be`},
		{`{"method":"ping"}`, "", "", `"jsonrpc" must be`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","id":1}`, "", "", `a notification has no "id"`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "notifications/cancelled", "", ""},
		{`{"jsonrpc":"2.0","method":"ping","id":"` + strings.Repeat("x", maxIDText) + `"}`, "", "", `"id" may have`},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`, "", "", "an answer needs"},
		{`{"jsonrpc":"2.0","result":{}}`, "", "", "an answer needs"},
		{`{"jsonrpc":"2.0","id":1.5,"result":{}}`, "", "", "an answer needs"},
		{`{"jsonrpc":"2.0","id":1,"error":7}`, "", "", "must have a"},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}`, "", "", "must have a"},
		{`{"jsonrpc":"2.0","id":1,"error":null,"result":{}}`, "", "", ""},
		{`[]`, "", "", "object"},
		{`null`, "", "", "object"},
		{`"x"`, "", "", "object"},
	} {
		m, problem := Parse([]byte(tt.raw))
		if tt.problem != "" {
			if !strings.Contains(problem, tt.problem) {
				t.Errorf("%s: got %q, want %q", tt.raw, problem, tt.problem)
			}
			continue
		}
		if problem != "" || m.Method != tt.method || string(m.ID) != tt.id {
			t.Errorf("%s: got %q %q, problem %q", tt.raw, m.Method, m.ID, problem)
		}
	}
}

// Whatever passes is JSON, and its id comes back as it was.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","method":"ping","id":1,"params":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1e9,"method":"a"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, problem := Parse(raw)
		if problem != "" {
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q passed", raw)
		}
		if len(m.ID) == 0 {
			return
		}
		var v any
		if err := json.Unmarshal(m.ID, &v); err != nil {
			t.Fatal(err)
		}
		if n, ok := v.(float64); ok {
			if back, _ := json.Marshal(int64(n)); string(back) != string(m.ID) && string(m.ID) != "-0" {
				t.Fatalf("%s comes back as %s", m.ID, back)
			}
		}
	})
}
