package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// variables expands ${NAME} in entries. What lies in the workspace could have
// been written by whoever wrote the workspace: there nothing is expanded, lest it
// picks secrets out of the environment.
type variables struct {
	lookup    func(string) (string, bool)
	workspace string
	inside    bool
}

// expand replaces the references of an entry. It returns why that can't be done,
// or nothing.
func (v *variables) expand(s *Server) string {
	problem := ""
	set := func(text *string) {
		value, why := v.text(*text, &s.Secrets, 0)
		if why != "" && problem == "" {
			problem = why
		}
		*text = value
	}
	set(&s.Command)
	set(&s.Dir)
	set(&s.URL)
	if s.OAuth != nil {
		set(&s.OAuth.ClientID)
		set(&s.OAuth.ClientSecret)
	}
	for i := range s.Args {
		set(&s.Args[i])
	}
	for _, m := range []map[string]string{s.Env, s.Headers} {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			text := m[k]
			set(&text)
			m[k] = text
		}
	}
	return problem
}

// openVariables hold no secrets: hiding them would make paths in messages unreadable.
var openVariables = []string{"HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "LANG", "TMPDIR", "TERM", "HOSTNAME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
	"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "workspaceFolder", "userHome"}

// openValue reports whether a value is no secret for certain: it is that of an open
// variable, or a path in the user's home.
func openValue(v string) bool {
	for _, name := range openVariables {
		if value, ok := os.LookupEnv(name); ok && value == v {
			return true
		}
	}
	home := os.Getenv("HOME")
	return len(home) > 1 && strings.HasPrefix(v, strings.TrimRight(home, "/")+"/")
}

// maxNested bounds defaults within defaults.
const maxNested = 8

// text expands ${NAME} and ${NAME:-default} in a text; VS Code and Cursor write
// ${env:NAME}. What a variable holds is not expanded once more: it is no part of
// the file.
func (v *variables) text(text string, secrets *[]string, nested int) (out, problem string) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), problem
		}
		end := closing(rest)
		if end < 0 || nested > maxNested {
			return "", "it has a ${ without its }"
		}
		name, fallback, hasFallback := strings.Cut(rest[:end], ":-")
		value, why := v.value(name, hasFallback)
		switch {
		case errors.Is(why, errUnset) && hasFallback:
			if value, problem = v.text(fallback, secrets, nested+1); problem != "" {
				return "", problem
			}
		case why != nil:
			return "", why.Error()
		case !slices.Contains(openVariables, strings.TrimPrefix(name, "env:")):
			*secrets = append(*secrets, value)
		}
		b.WriteString(value)
		text = rest[end+1:]
	}
}

// closing is where a reference ends, or -1.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch {
		case strings.HasPrefix(s[i:], "${"):
			depth++
		case s[i] == '}' && depth == 0:
			return i
		case s[i] == '}':
			depth--
		}
	}
	return -1
}

var errUnset = errors.New("is not set")

// value is that of one variable. An empty one counts as unset where there is a
// default, as in a shell.
func (v *variables) value(ref string, hasFallback bool) (string, error) {
	switch {
	case strings.ContainsAny(ref, "${}") || ref == "" || ref == "env:":
		return "", fmt.Errorf("it uses ${%s}, which names no variable", ref)
	case v.inside:
		return "", fmt.Errorf("it uses ${%s}, and variables are expanded only in a file outside the workspace", ref)
	case ref == "workspaceFolder" && v.workspace != "":
		return v.workspace, nil
	case ref == "workspaceFolder":
		return "", errors.New("it uses ${workspaceFolder}, and no workspace is open")
	case ref == "userHome":
		ref = "HOME"
	case strings.HasPrefix(ref, "input:"):
		return "", fmt.Errorf("it uses ${%s}, which only VS Code can ask for: put the value into a variable", ref)
	}
	name := strings.TrimPrefix(ref, "env:")
	if value, ok := v.lookup(name); ok && (value != "" || !hasFallback) {
		return value, nil
	}
	return "", fmt.Errorf("the environment variable %s %w", name, errUnset)
}

// within reports whether a file lies in a folder, all links followed.
func within(file, folder string) bool {
	if folder == "" {
		return false
	}
	real := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return p
	}
	for _, f := range []string{file, real(file)} {
		if rel, err := filepath.Rel(real(folder), f); err == nil && filepath.IsLocal(rel) {
			return true
		}
		if rel, err := filepath.Rel(folder, f); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// sameAsUs reports whether a command is the file of this process.
func sameAsUs(command string) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	found, err := exec.LookPath(command)
	if err != nil {
		return false
	}
	a, errA := os.Stat(self)
	b, errB := os.Stat(found)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// childVariables are what an upstream server gets of our environment. Its own env
// comes on top.
var childVariables = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// ChildEnv is the environment of an upstream server without its own env.
func ChildEnv() []string {
	var out []string
	for _, name := range childVariables {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}
