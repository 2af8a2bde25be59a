package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestStrayVariables(t *testing.T) {
	got := strayVariables([]string{"PATH=/bin", "CODE_MODE_TIMEOUT_SECOND=5", "CODE_MODE_ROLE=viewer", "CODE_MODE_X\x1b[31m=1", "CODEMODE_ROLE=x"})
	want := []string{
		`the environment variable "CODE_MODE_TIMEOUT_SECOND" is none of ours and has no effect: did you mean CODE_MODE_TIMEOUT_SECONDS?`,
		`the environment variable "CODE_MODE_X\x1b[31m" is none of ours and has no effect`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Every variable that the program names is one that it knows.
func TestVariablesAreKnown(t *testing.T) {
	known := Variables()
	named := regexp.MustCompile(`"CODE_MODE_[A-Z_]+"`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "tests" || d.Name() == ".git") {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, quoted := range named.FindAllString(string(text), -1) {
			if name := strings.Trim(quoted, `"`); !slices.Contains(known, name) {
				t.Errorf("%s names %s, which Variables does not have", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A path in the user's home is no secret, and a token is.
func TestSecrets(t *testing.T) {
	t.Setenv("HOME", "/home/somebody")
	t.Setenv("TOKEN_OF_TEST", "s3cret!")
	_, err := load(t, `{"mcpServers":{"a":{"command":"${HOME}/bin/x","args":["${userHome}"],"cwd":"${HOME}",
		"env":{"FILE":"${HOME}/memory.json","T":"${TOKEN_OF_TEST}","LITERAL":"literal-token"}},
		"b":{"url":"https://example.com/mcp?key=abcdef123","headers":{"Authorization":"Bearer literal-bearer"},"oauth2":1}}}`, Flags{})
	if err == nil || !strings.Contains(err.Error(), `b.oauth2: is unknown: did you mean "oauth"?`) {
		t.Fatalf("got %v", err)
	}
	c, err := load(t, `{"mcpServers":{"a":{"command":"${HOME}/bin/x","args":["${userHome}"],"cwd":"${HOME}",
		"env":{"FILE":"${HOME}/memory.json","T":"${TOKEN_OF_TEST}","LITERAL":"literal-token"}},
		"b":{"url":"https://example.com/mcp?key=abcdef123","headers":{"Authorization":"Bearer literal-bearer"}},
		"c":{"url":"https://example.com/mcp","oauth":{"clientId":"id","clientSecret":"${TOKEN_OF_TEST}","scopes":"read write"}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"literal-token", "s3cret!"}, {"Bearer literal-bearer", "abcdef123", "key=abcdef123", "literal-bearer"}, {"s3cret!"}} {
		got := slices.Sorted(slices.Values(c.Servers[i].Secrets))
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.Servers[i].Name, got, want)
		}
	}
	if o := c.Servers[2].OAuth; o.Grant != CredentialsGrant || !slices.Equal(o.Scopes, []string{"read", "write"}) || o.ClientSecret != "s3cret!" {
		t.Errorf("got %+v", o)
	}
}

func TestOAuthMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"command":"x","oauth":{}}`:                                                "headers or oauth, which only go with a url",
		`{"url":"https://e.com","oauth":{"clientid":"x"}}`:                          `oauth.clientid: is unknown: did you mean "clientId"?`,
		`{"url":"https://e.com","oauth":{"clientSecret":"x"}}`:                      "has a clientSecret and no clientId",
		`{"url":"https://e.com","oauth":{"grant":"client_credentials"}}`:            "needs a clientId and a clientSecret",
		`{"url":"https://e.com","oauth":{"grant":"password"}}`:                      "is not one of authorization_code, client_credentials",
		`{"url":"https://e.com","oauth":{"callbackPort":70000}}`:                    "70000 is out of range: want 1..65535",
		`{"url":"https://e.com","oauth":{},"headers":{"authorization":"Bearer x"}}`: "has oauth and an Authorization header",
		`{"url":"https://e.com","oauth":[]}`:                                        "must be an object, not a list",
		`{"url":"https://e.com","oauth":{"scopes":[1]}}`:                            "must be a list of strings, not a list with a number",
		`{"url":"https://e.com","sampling":"yes"}`:                                  "must be true or false, not a string",
	} {
		if _, err := load(t, `{"mcpServers":{"a":`+text+`}}`, Flags{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestExpansion(t *testing.T) {
	t.Setenv("A_OF_TEST", "one")
	t.Setenv("EMPTY_OF_TEST", "")
	t.Setenv("NESTS_OF_TEST", "${A_OF_TEST}")
	v := &variables{lookup: os.LookupEnv, workspace: "/w"}
	for text, want := range map[string]string{
		"${A_OF_TEST}/x":                    "one/x",
		"${env:A_OF_TEST}${A_OF_TEST}":      "oneone",
		"${NOPE:-d}":                        "d",
		"${NOPE:-}":                         "",
		"${EMPTY_OF_TEST:-d}":               "d",
		"${EMPTY_OF_TEST}":                  "",
		"${NOPE:-${A_OF_TEST}}":             "one",
		"${NOPE:-${NOPE2:-${A_OF_TEST}}/y}": "one/y",
		"${A_OF_TEST:-${NOPE}}":             "one",
		"${NESTS_OF_TEST}":                  "${A_OF_TEST}", // what a variable holds is no part of the file
		"$A_OF_TEST $$ } {x} $":             "$A_OF_TEST $$ } {x} $",
		"${workspaceFolder}/a":              "/w/a",
		"${NOPE}":                           "! the environment variable NOPE is not set",
		"${NOPE:-${NOPE2}}":                 "! the environment variable NOPE2 is not set",
		"${A${B}}":                          "! it uses ${A${B}}, which names no variable",
		"${}":                               "! it uses ${}, which names no variable",
		"${A_OF_TEST":                       "! it has a ${ without its }",
		"${input:key}":                      "! it uses ${input:key}, which only VS Code can ask for: put the value into a variable",
	} {
		var secrets []string
		got, problem := v.text(text, &secrets, 0)
		if problem != "" {
			got = "! " + problem
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func FuzzExpansion(f *testing.F) {
	f.Add("${A:-${B:-c}}", "v")
	f.Add("${${${", "}")
	f.Fuzz(func(t *testing.T, text, value string) {
		v := &variables{lookup: func(string) (string, bool) { return value, true }}
		var secrets []string
		got, problem := v.text(text, &secrets, 0)
		if problem == "" && len(got) > len(text)*(len(value)+1) {
			t.Errorf("%q with %q gives %q", text, value, got)
		}
	})
}

// What could not be handed to a process or a server, and names that deceive.
func TestUnsendable(t *testing.T) {
	for text, want := range map[string]string{
		`{"command":"x","args":["a\u0000"]}`:                       "hold a NUL character",
		`{"command":"x","env":{"A=B":"c"}}`:                        `the name "A=B"`,
		`{"command":"x","env":{"":"c"}}`:                           `the name ""`,
		`{"url":"https://e.com","headers":{"a b":"c"}}`:            `its header "a b" can't be sent`,
		`{"url":"https://e.com","headers":{"A":"b\r\nEvil: yes"}}`: `its header "A" can't be sent`,
	} {
		c, err := load(t, `{"mcpServers":{"a":`+text+`}}`, Flags{})
		if err != nil || !strings.Contains(c.Servers[0].Problem, want) {
			t.Errorf("%s: got %+v, %v", text, c, err)
		}
	}
	for text, want := range map[string]string{
		`{"mcpServers":{"\u202eevil":{"command":"x"}}}`:             "nothing that does not show",
		`{"mcpServers":{"a\u001b[31m":{"command":"x"}}}`:            "nothing that does not show",
		`{"mcpServers":{"a":{"command":"x","prefix":"b\nc"}}}`:      "nothing that does not show",
		`{"mcpServers":{"a":{"command":"x","timeoutSeconds":1.5}}}`: "must be a whole number, not a number with a fraction",
		`[]`: "must be an object, not a list",
		`7`:  "must be an object, not a number",
	} {
		if _, err := load(t, text, Flags{}); err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x1b\u202e") {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}
