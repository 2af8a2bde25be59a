package config

import (
	"reflect"
	"slices"
	"testing"
)

// Every key of an entry is either taken at once or waits for a restart.
func TestEveryKeyOfAnEntry(t *testing.T) {
	for _, key := range serverKeys {
		if slices.Contains(launchKeys, key) == slices.Contains(liveKeys, key) {
			t.Errorf("%s must be a key of one of the two lists", key)
		}
	}
	if len(serverKeys) != len(launchKeys)+len(liveKeys) {
		t.Error("a list has a key that no entry has")
	}
}

// Every setting is either taken at once, is named as waiting, or can't change while
// the program runs.
func TestEverySetting(t *testing.T) {
	waits := map[string]string{"Workspace": "workspace", "Writable": "writable", "LogLevel": "logLevel", "LogFormat": "logFormat",
		"Expose": "expose", "ResidentTools": "expose", "Aliases": "aliases", "HTTP": "http"}
	live := []string{"Role", "Limits", "Servers", "Auth", "Notes", "Warnings"}
	fixed := []string{"File", "BestEffort", "JIT", "CacheDir", "TokenDir"} // flags and the environment
	for i := range reflect.TypeFor[Config]().NumField() {
		name := reflect.TypeFor[Config]().Field(i).Name
		old, now := &Config{}, &Config{}
		f := reflect.ValueOf(now).Elem().Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Struct:
			if name == "HTTP" {
				now.HTTP.Addr = "x"
			}
		}
		got := OnlyRestart(old, now)
		switch want, ok := waits[name]; {
		case ok:
			if !slices.Equal(got, []string{want}) {
				t.Errorf("%s: named as waiting: %v", name, got)
			}
		case !slices.Contains(live, name) && !slices.Contains(fixed, name):
			t.Errorf("%s: is it taken at once, or does it wait for a restart?", name)
		}
	}
}

// What an entry says is for scripts only when anybody may know it.
func TestSensitive(t *testing.T) {
	for entry, want := range map[string]bool{
		`{"command": "x"}`:                                              false,
		`{"url": "https://example.com/mcp"}`:                            false,
		`{"command": "x", "env": {"PIN": "1234"}}`:                      true,
		`{"command": "x", "args": ["--pin", "1"]}`:                      true,
		`{"url": "https://example.com/mcp", "headers": {"X": "1"}}`:     true,
		`{"url": "https://example.com/mcp?k=1"}`:                        true,
		`{"url": "https://u@example.com/mcp"}`:                          true,
		`{"url": "https://example.com/mcp", "oauth": {"clientId":"a"}}`: true,
	} {
		c, err := load(t, `{"mcpServers": {"a": `+entry+`}}`, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Servers[0].Sensitive(); got != want {
			t.Errorf("%s: %v", entry, got)
		}
	}
}
