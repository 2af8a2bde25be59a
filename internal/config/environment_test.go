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
	c, err := load(t, `{"mcpServers":{"a":{"command":"${HOME}/bin/x","args":["${userHome}"],"cwd":"${HOME}",
		"env":{"FILE":"${HOME}/memory.json","T":"${TOKEN_OF_TEST}","LITERAL":"literal-token"}},
		"b":{"url":"https://example.com/mcp?key=abcdef123","headers":{"Authorization":"Bearer literal-bearer"},"oauth2":1}}}`, Flags{})
	if err == nil || !strings.Contains(err.Error(), `b.oauth2: is unknown: did you mean "oauth"?`) {
		t.Fatalf("got %v", err)
	}
	c, err = load(t, `{"mcpServers":{"a":{"command":"${HOME}/bin/x","args":["${userHome}"],"cwd":"${HOME}",
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
