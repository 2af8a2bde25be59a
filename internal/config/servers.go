package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

// Server is one upstream MCP server, an entry of mcpServers.
type Server struct {
	// Key is the entry's key in the file.
	Key string
	// Name is the namespace of its tools: the prefix, or the key.
	Name string
	// Command, Args, Env and Dir start a server on stdio.
	Command string
	Args    []string
	Env     map[string]string
	Dir     string
	// URL and Headers reach a server over streamable HTTP.
	URL     string
	Headers map[string]string
	// OAuth is how we log in over HTTP. Nil: with what the server tells us.
	OAuth *OAuth
	// Insecure allows http to other machines.
	Insecure bool
	// Sampling lets the server ask our client's model.
	Sampling bool
	// PerPrincipal gives each principal a connection or a process of its own.
	PerPrincipal bool
	// ForwardToken sends the caller's own token on it.
	ForwardToken bool
	// Disabled entries are read, checked and not started.
	Disabled bool
	// Role is the least role that may see and call the tools.
	Role policy.Role
	// Allow and Deny are globs over the tools' own names. Deny wins; an empty
	// Allow allows everything.
	Allow, Deny []string
	// Timeout bounds one call. Zero means the limit of every call.
	Timeout time.Duration
	// Protocol is auto, legacy or modern.
	Protocol string
	// Secrets are the values that must not be shown: those of env and headers, and
	// whatever came out of the environment.
	Secrets []string
	// Problem says why the entry can't be started on this machine, or is empty.
	// It is no mistake of the file: the other servers work.
	Problem string
	// Digest tells entries apart by what starts or reaches them, as it is written in
	// the file.
	Digest string
}

// Allows reports whether the entry lets a tool through.
func (s *Server) Allows(tool string) bool {
	return !s.Denies(tool) && (len(s.Allow) == 0 || matches(s.Allow, tool))
}

// Denies reports whether the entry hides a tool by its deny globs.
func (s *Server) Denies(tool string) bool { return matches(s.Deny, tool) }

func matches(globs []string, tool string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(g, tool)
		return ok && err == nil
	})
}

// The transports an entry may have.
const (
	Stdio = "stdio"
	HTTP  = "http"
)

// Transport says how the server is reached.
func (s *Server) Transport() string {
	if s.URL != "" {
		return HTTP
	}
	return Stdio
}

// serverKeys are the keys of an entry. foreignKeys are those of other clients
// that mean nothing here: they are noted and left alone.
var (
	serverKeys = []string{"type", "command", "args", "env", "cwd", "url", "headers", "disabled", "role", "allow", "deny",
		"timeoutSeconds", "protocol", "prefix", "insecure", "oauth", "sampling", "connection", "forwardToken"}
	foreignKeys = []string{"alwaysAllow", "autoApprove", "description", "dev", "disabledTools", "gallery", "icon", "name",
		"autostart", "timeout", "tools", "trust", "version", "envFile", "sandbox", "sandboxEnabled"}
)

// launchKeys are the keys that say how a server is started or reached. What they
// say changes with a restart only.
var launchKeys = []string{"type", "command", "args", "env", "cwd", "url", "headers", "protocol", "prefix", "insecure", "oauth", "connection", "forwardToken"}

// liveKeys are the keys whose changes are taken at once. Of sampling that is the end;
// its beginning waits, as a server is told when it starts.
var liveKeys = []string{"disabled", "role", "allow", "deny", "timeoutSeconds", "sampling"}

// SameLaunch reports whether two entries start or reach the same server in the
// same way, all variables expanded.
func (s *Server) SameLaunch(o *Server) bool {
	return s.Digest == o.Digest && s.Command == o.Command && slices.Equal(s.Args, o.Args) && maps.Equal(s.Env, o.Env) &&
		s.Dir == o.Dir && s.URL == o.URL && maps.Equal(s.Headers, o.Headers)
}

// maxServerName bounds a namespace, in bytes.
const maxServerName = 128

// isName reports whether a text may be a namespace: what does not show would deceive
// people and models.
func isName(s string) bool {
	return s != "" && len(s) <= maxServerName && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

var badName = fmt.Sprintf("a server's name has 1 to %d bytes, and nothing that does not show", maxServerName)

// maxTimeout bounds timeoutSeconds, in seconds.
const maxTimeout = 300

// servers reads the entries of one object of the file.
func (f *file) servers(section string, raw json.RawMessage, v *variables) ([]Server, error) {
	where := f.path + ": " + section
	entries, err := members(raw)
	if err != nil {
		return nil, &Error{where, err.Error()}
	}
	var out []Server
	for _, e := range entries {
		at := where + "." + e.key
		if !isName(e.key) {
			return nil, &Error{where + "." + strconv.QuoteToGraphic(e.key), badName}
		}
		s, err := f.server(at, e.key, e.value, v)
		if err != nil {
			return nil, err
		}
		switch {
		case isSelf(s.Command, s.Args):
			f.note("%s starts this very program: skipped", at)
		case s.Name == catalog.Workspace:
			f.note("%s: %q is the name of the built-in tools, so the server was skipped: give it a \"prefix\"", at, s.Name)
		default:
			if i := slices.IndexFunc(out, func(o Server) bool { return o.Name == s.Name }); i >= 0 {
				return nil, &Error{at, fmt.Sprintf("has the same name as %s: give one of them another prefix", out[i].Key)}
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// server reads one entry.
func (f *file) server(at, key string, raw json.RawMessage, v *variables) (Server, error) {
	s := Server{Key: key, Name: key, Role: policy.Admin, Protocol: "auto", Digest: digest(key, raw)}
	fields, err := members(raw)
	if err != nil {
		return s, &Error{at, err.Error()}
	}
	var kind, role string
	var seconds int
	var insecure bool
	var connection string
	for _, m := range fields {
		where := at + "." + m.key
		switch m.key {
		case "type":
			err = read(where, m.value, "a string", &kind)
		case "command":
			err = read(where, m.value, "a string", &s.Command)
		case "args":
			err = read(where, m.value, "a list of strings", &s.Args)
		case "env":
			err = read(where, m.value, "an object of strings", &s.Env)
		case "cwd":
			err = read(where, m.value, "a string", &s.Dir)
		case "url":
			err = read(where, m.value, "a string", &s.URL)
		case "headers":
			err = read(where, m.value, "an object of strings", &s.Headers)
		case "disabled":
			err = read(where, m.value, "true or false", &s.Disabled)
		case "role":
			if err = read(where, m.value, "a string", &role); err == nil && role != "" {
				if s.Role, err = policy.ParseRole(role); err != nil {
					err = &Error{where, err.Error()}
				}
			}
		case "allow":
			err = readGlobs(where, m.value, &s.Allow)
		case "deny":
			err = readGlobs(where, m.value, &s.Deny)
		case "timeoutSeconds":
			if err = read(where, m.value, "a whole number", &seconds); err == nil && (seconds < 1 || seconds > maxTimeout) {
				err = &Error{where, fmt.Sprintf("%d is out of range: want 1..%d", seconds, maxTimeout)}
			}
			s.Timeout = time.Duration(seconds) * time.Second
		case "protocol":
			if err = read(where, m.value, "a string", &s.Protocol); err == nil {
				_, err = oneOf(where, s.Protocol, "auto", "legacy", "modern")
			}
		case "prefix":
			if err = read(where, m.value, "a string", &s.Name); err == nil && (!isName(s.Name)) {
				err = &Error{where, badName}
			}
		case "insecure":
			err = read(where, m.value, "true or false", &insecure)
		case "connection":
			if err = read(where, m.value, "a string", &connection); err == nil {
				_, err = oneOf(where, connection, "shared", "principal")
			}
			s.PerPrincipal = connection == "principal"
		case "forwardToken":
			err = read(where, m.value, "true or false", &s.ForwardToken)
		case "oauth":
			s.OAuth, err = f.oauth(where, m.value)
		case "sampling":
			if kindOf(m.value) == "an object" {
				f.note("%s belongs to another client and was ignored", where)
			} else {
				err = read(where, m.value, "true or false", &s.Sampling)
			}
		default:
			if !slices.Contains(foreignKeys, m.key) {
				return s, &Error{where, "is unknown" + didYouMean(m.key, serverKeys)}
			}
			f.note("%s belongs to another client and was ignored", where)
		}
		if err != nil {
			return s, err
		}
	}
	if err := s.checkTransport(at, kind); err != nil {
		return s, err
	}
	s.Problem = v.expand(&s)
	s.keepSecrets()
	if s.Problem == "" {
		s.Problem = s.unsendable()
	}
	if s.Problem == "" && strings.EqualFold(kind, "sse") {
		s.Problem = `it uses the old SSE transport, which is not supported: use the server's streamable HTTP address, with "type": "http"`
	}
	if s.Problem == "" && s.URL != "" {
		s.Problem = checkURL(s.URL, insecure)
	}
	s.Insecure = insecure
	if insecure && s.ForwardToken {
		return s, &Error{at, "has forwardToken and insecure: tokens of users are not sent unencrypted"}
	}
	if s.Dir != "" && !filepath.IsAbs(s.Dir) {
		s.Dir = filepath.Join(filepath.Dir(f.path), s.Dir)
	}
	return s, nil
}

// unsendable says what no process or request could be given.
func (s *Server) unsendable() string {
	for _, text := range append([]string{s.Command, s.Dir}, s.Args...) {
		if strings.ContainsRune(text, 0) {
			return "its command, args or cwd hold a NUL character"
		}
	}
	for name, value := range s.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return "its env has the name " + strconv.QuoteToGraphic(name) + ", which no process can be given"
		}
	}
	for name, value := range s.Headers {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return "its header " + strconv.QuoteToGraphic(name) + " can't be sent: its name or value holds what a header may not"
		}
	}
	return ""
}

// minSecret is how long a value must be to be taken for a secret, in bytes:
// hiding every "1" would make messages unreadable.
const minSecret = 6

// Sensitive reports whether what is written in the entry is not for scripts: more than
// the names of a program or of a server that says what anybody may know.
func (s *Server) Sensitive() bool {
	u, err := url.Parse(s.URL)
	return len(s.Args)+len(s.Env)+len(s.Headers)+len(s.Secrets) > 0 || s.OAuth != nil || err != nil || u.User != nil || u.RawQuery != ""
}

func (s *Server) keepSecrets() {
	for _, m := range []map[string]string{s.Env, s.Headers} {
		for _, v := range m {
			if openValue(v) {
				continue
			}
			s.Secrets = append(s.Secrets, v)
			if _, token, ok := strings.Cut(v, " "); ok { // Bearer abc
				s.Secrets = append(s.Secrets, token)
			}
		}
	}
	if s.OAuth != nil {
		s.Secrets = append(s.Secrets, s.OAuth.ClientSecret)
	}
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			s.Secrets = append(s.Secrets, password)
		}
		s.Secrets = append(s.Secrets, u.RawQuery)
		for _, values := range u.Query() {
			s.Secrets = append(s.Secrets, values...)
		}
	}
	s.Secrets = slices.DeleteFunc(s.Secrets, func(v string) bool { return len(v) < minSecret })
	// A longer one first: another may be a part of it.
	slices.SortFunc(s.Secrets, func(a, b string) int { return len(b) - len(a) })
}

// checkTransport holds type, command and url to each other.
func (s *Server) checkTransport(at, kind string) error {
	switch {
	case s.Command != "" && s.URL != "":
		return &Error{at, "has both a command and a url: keep one"}
	case s.Command == "" && s.URL == "":
		return &Error{at, "has neither a command nor a url"}
	case s.URL != "" && (s.Args != nil || s.Env != nil || s.Dir != ""):
		return &Error{at, "has a url, and args, env or cwd, which only go with a command"}
	case s.Command != "" && (s.Headers != nil || s.OAuth != nil):
		return &Error{at, "has a command, and headers or oauth, which only go with a url"}
	case s.ForwardToken && (s.URL == "" || !s.PerPrincipal):
		return &Error{at, `has forwardToken, which needs a url and "connection": "principal": a token goes over its owner's connection only`}
	case s.OAuth != nil && s.authorization() != "":
		return &Error{at, "has oauth and an Authorization header: keep one"}
	}
	kinds := []string{"http", "streamable-http", "streamableHttp", "sse"}
	if s.Command != "" {
		kinds = []string{"stdio"}
	}
	if kind != "" && !slices.Contains(kinds, kind) {
		return &Error{at + ".type", fmt.Sprintf("%q does not fit: want %s", kind, strings.Join(kinds, ", "))}
	}
	return nil
}

// authorization is the entry's own Authorization header, or empty.
func (s *Server) authorization() string {
	for name, value := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			return value
		}
	}
	return ""
}

// LogsIn reports whether a login may give the entry its right: it goes over HTTP and
// brings no Authorization of its own.
func (s *Server) LogsIn() bool { return s.URL != "" && s.authorization() == "" }

// checkURL says what is wrong with an address.
func checkURL(text string, insecure bool) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "its url is not an http or https address" // not quoted: it may hold a secret
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && !insecure && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return `its url is not encrypted and leaves this machine: use https, or say "insecure": true`
	}
	return ""
}

// isSelf reports whether a command would start this program.
func isSelf(command string, args []string) bool {
	self := func(s string) bool {
		base, _, _ := strings.Cut(filepath.Base(s), ":") // an image's tag
		return base == "codemode-mcp"
	}
	return command != "" && (self(command) || sameAsUs(command) || slices.ContainsFunc(args, self))
}

func digest(key string, raw json.RawMessage) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", key)
	fields, _ := members(raw) // a mistake in it is told elsewhere
	for _, m := range fields {
		if slices.Contains(launchKeys, m.key) {
			var compact bytes.Buffer
			_ = json.Compact(&compact, m.value) // the file is known to be JSON
			fmt.Fprintf(h, "%q%s", m.key, compact.Bytes())
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// readGlobs reads a list of globs and holds them to the syntax of path.Match.
func readGlobs(where string, raw json.RawMessage, out *[]string) error {
	if err := read(where, raw, "a list of strings", out); err != nil {
		return err
	}
	for _, g := range *out {
		if _, err := path.Match(g, ""); err != nil {
			return &Error{where, fmt.Sprintf("%q is not a glob: %v", g, err)}
		}
	}
	return nil
}
