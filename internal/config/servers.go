package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
