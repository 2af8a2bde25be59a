package config

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

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
