package limits

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDefaults(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if !l.Enabled || l.TimeoutSeconds != 30 || l.MaxToolCalls != 50 || l.MaxMemoryMB != 64 || l.MaxResultChars != 100000 {
		t.Errorf("defaults differ from the documented ones: %+v", l)
	}
	if l.MaxTotalMemoryMB < 128 {
		t.Errorf("machine-dependent defaults are not filled in: %+v", l)
	}
	l.MaxTotalMemoryMB = 1 << 20
	if n, err := l.Workers(60); err != nil || n < 64 {
		t.Errorf("%d workers by default: %v", n, err)
	}
}

// Every limit refuses a value below and above its range, and the message says
// which variable, which value and which range.
func TestOutOfRange(t *testing.T) {
	for f := range fields() {
		env := f.Tag.Get("envconfig")
		if f.Tag.Get("range") == "" {
			continue
		}
		low, high := bounds(f)
		for _, n := range []int64{low - 1, high + 1, -1} {
			t.Run(env, func(t *testing.T) {
				v := json.Number(jsonInt(n)).String()
				t.Setenv(env, v)
				_, err := Load()
				if err == nil {
					t.Fatalf("%s=%s was accepted", env, v)
				}
				for _, want := range []string{env, v, f.Tag.Get("range")} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("error %q does not name %q", err, want)
					}
				}
			})
		}
		t.Run(env+" at its bounds", func(t *testing.T) {
			t.Setenv(env, jsonInt(high))
			if _, err := Load(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNotANumber(t *testing.T) {
	t.Setenv("CODE_MODE_MAX_TOOL_CALLS", "many")
	_, err := Load()
	if err == nil || !strings.Contains(err.Error(), `CODE_MODE_MAX_TOOL_CALLS="many"`) {
		t.Errorf("got %v", err)
	}
}

func jsonInt(n int64) string { b, _ := json.Marshal(n); return string(b) }

func TestBudget(t *testing.T) {
	b := NewBudget(2)
	for i := range 4 + maxBurst + 2 {
		want := Granted
		if i >= 2 {
			want = Refused
		}
		if i >= 4+maxBurst {
			want = Exhausted
		}
		if got := b.Take(); got != want {
			t.Errorf("call %d: got %v, want %v", i+1, got, want)
		}
	}
	if b.Used() != 2 {
		t.Errorf("used %d, want 2", b.Used())
	}
}

func TestTruncateKeepsWhatFits(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"a":1,"b":[1,2,3],"c":"` + strings.Repeat("x", 200) + `"}`, `{"a":1,"b":[1,2,3],"c":"xxx`},
		{`[` + strings.Repeat(`"row",`, 100) + `"row"]`, `["row","row"`},
		{`"` + strings.Repeat("é", 100) + `"`, `"éé`},
		{`  [1, 2 , ` + strings.Repeat(` 3,`, 50) + ` 4]`, `[1,2,3`},
	}
	for _, tt := range tests {
		got, cut := Truncate(json.RawMessage(tt.in), 60)
		if !cut || !json.Valid(got) || !strings.HasPrefix(string(got), tt.want) || utf8.RuneCount(got) > 60 || utf8.RuneCount(got) < 50 {
			t.Errorf("Truncate(%.40s...) = %s (cut %v, %d characters)", tt.in, got, cut, utf8.RuneCount(got))
		}
	}
	wide := json.RawMessage(`"` + strings.Repeat("é", 58) + `"`) // 118 bytes
	if _, cut := Truncate(wide, 60); cut {
		t.Error("a value of 60 characters was cut")
	}
	whole := json.RawMessage(`{"a":1}`)
	if got, cut := Truncate(whole, 60); cut || string(got) != string(whole) {
		t.Errorf("a short value was changed: %s", got)
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add(`{"a":["\u00e9\ud83d\ude00",{"b":null}],"c":"`+strings.Repeat(`\"`, 50)+`"}`, 20)
	f.Add(`"`+strings.Repeat("😀", 30)+`"`, 33)
	f.Add(strings.Repeat("[", 300)+strings.Repeat("]", 300), 50)
	f.Fuzz(func(t *testing.T, in string, limit int) {
		if !json.Valid([]byte(in)) || !utf8.ValidString(in) {
			return
		}
		limit = 16 + (limit&0xffff)%4096
		got, _ := Truncate(json.RawMessage(in), limit)
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("Truncate(%q, %d) = %q is not valid JSON", in, limit, got)
		}
		if n := utf8.RuneCount(got); n > limit+4 {
			t.Fatalf("Truncate(%q, %d) left %d characters", in, limit, n)
		}
	})
}
