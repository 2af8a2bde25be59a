// Package config turns flags, environment and a file into one checked [Config].
//
// It owns the precedence (flags, then environment, then file, then defaults) and
// the wording of mistakes, and it is the one place that reads the environment;
// limits declares its own variables. Of this module it imports only limits,
// policy and catalog (for near names).
package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
)

// Config is what the whole program runs by.
type Config struct {
	// Workspace is the absolute path of the workspace, or empty for none.
	Workspace string
	// Writable lets the workspace tools change files.
	Writable bool
	// Role is the role of the local user.
	Role policy.Role
	// LogLevel is debug, info, warn or error.
	LogLevel string
	// LogFormat is console or json.
	LogFormat string
	// File is the absolute path of the config file, or empty.
	File string
	// BestEffort runs scripts also where a sandbox layer can't be had.
	BestEffort bool
	// JIT lets V8 compile to machine code.
	JIT bool
	// Aliases are first names that scripts of other servers put before a tool:
	// tools.<alias>.<tool> is then tools.<tool>. Nil means the default ones.
	Aliases []string
	// Expose says which tools clients list: one of Exposures.
	Expose string
	// ResidentTools are globs over the names of tools that stay listed when auto
	// hides others.
	ResidentTools []string
	// Limits bound script runs.
	Limits limits.Limits
	// CacheDir is where catalogs of servers are kept, or empty for nowhere.
	CacheDir string
	// TokenDir is where logins to servers are kept, or empty for nowhere.
	TokenDir string
	// Servers are the upstream MCP servers, in the order of the file.
	Servers []Server
	// HTTP is the endpoint, when there is one, and Auth who may use it.
	HTTP Endpoint
	Auth Auth
	// Notes are what was left alone in the file, for people.
	Notes []string
	// Warnings are what is probably not meant, for people.
	Warnings []string
}

// Flags are what the command line said. An empty string was not said.
type Flags struct {
	Workspace string
	Writable  bool
	File      string
	Role      string
	LogLevel  string
	LogFormat string
	Watch     bool
	Expose    string

	// Of the HTTP endpoint.
	HTTP, Metrics, Cert, Key string
	InsecureNoAuth           bool
}

// The variables beside the limits.
const (
	// RoleVariable sets the local user's role.
	RoleVariable = "CODE_MODE_ROLE"
	// SandboxVariable is "require" (the default) or "best-effort".
	SandboxVariable = "CODE_MODE_SANDBOX"
	// CacheVariable is the folder for what may be lost, in place of the user's own.
	CacheVariable = "CODE_MODE_CACHE_DIR"
	// TokenVariable is the folder for logins, in place of the user's own.
	TokenVariable = "CODE_MODE_TOKEN_DIR"
	// JITVariable is "true" (the default) or "false".
	JITVariable = "CODE_MODE_JIT"
)

// Error is a mistake in the configuration.
type Error struct {
	// Where is the flag, the variable, or the file and key.
	Where string
	// Reason says what is wrong and what would be right.
	Reason string
}

// Error gives the place and the reason.
func (e *Error) Error() string { return e.Where + ": " + e.Reason }

// Load builds the configuration.
func Load(flags Flags) (*Config, error) {
	c := &Config{Role: policy.Admin, LogLevel: "info", LogFormat: "console", Warnings: strayVariables(os.Environ())}
	var f file
	if flags.File != "" {
		path, err := filepath.Abs(flags.File)
		if err != nil {
			return nil, &Error{"--config", err.Error()}
		}
		c.File = path
		if f, err = readFile(path); err != nil {
			return nil, err
		}
	}
	l, err := limits.Load()
	if err != nil {
		return nil, &Error{"environment", err.Error()}
	}
	c.Limits = l
	if err := f.limits(&c.Limits); err != nil {
		return nil, err
	}

	c.Workspace = first(flags.Workspace, f.Workspace)
	if c.Workspace != "" {
		if !filepath.IsAbs(c.Workspace) && flags.Workspace == "" {
			c.Workspace = filepath.Join(filepath.Dir(c.File), c.Workspace)
		}
		if c.Workspace, err = filepath.Abs(c.Workspace); err != nil {
			return nil, &Error{"--workspace", err.Error()}
		}
	}
	if err := c.readServers(&f); err != nil {
		return nil, err
	}
	if err := c.readEndpoint(&f, flags); err != nil {
		return nil, err
	}
	c.Writable = flags.Writable || f.Writable
	if role := first(flags.Role, os.Getenv(RoleVariable), f.Role); role != "" {
		if c.Role, err = policy.ParseRole(role); err != nil {
			return nil, &Error{source(flags.Role, "--role", os.Getenv(RoleVariable), RoleVariable, c.File+": role"), err.Error()}
		}
	}
	sandbox, err := oneOf(SandboxVariable, first(os.Getenv(SandboxVariable), "require"), "require", "best-effort")
	if err != nil {
		return nil, err
	}
	jit, err := oneOf(JITVariable, first(os.Getenv(JITVariable), "true"), "true", "false")
	if err != nil {
		return nil, err
	}
	c.Aliases = f.Aliases
	if err := c.readExposure(flags, f); err != nil {
		return nil, err
	}
	c.BestEffort, c.JIT = sandbox == "best-effort", jit == "true"
	if c.LogLevel, err = oneOf("--log-level", first(flags.LogLevel, f.LogLevel, c.LogLevel), "debug", "info", "warn", "error"); err != nil {
		return nil, err
	}
	if c.LogFormat, err = oneOf("--log-format", first(flags.LogFormat, f.LogFormat, c.LogFormat), "console", "json"); err != nil {
		return nil, err
	}
	return c, nil
}

// cacheDir is the folder for catalogs, or empty when the user has none.
func cacheDir() string {
	dir := os.Getenv(CacheVariable)
	if dir == "" {
		own, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(own, "codemode-mcp")
	}
	if dir, err := filepath.Abs(dir); err == nil {
		return filepath.Join(dir, "catalogs")
	}
	return ""
}

// tokenDir is the folder for logins, or empty when the user has none.
func tokenDir() string {
	dir := os.Getenv(TokenVariable)
	if dir == "" {
		own, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(own, "codemode-mcp")
	}
	if dir, err := filepath.Abs(dir); err == nil {
		return dir
	}
	return ""
}

// readServers reads the entries under mcpServers and, as VS Code names it, servers.
func (c *Config) readServers(f *file) error {
	v := &variables{lookup: os.LookupEnv, workspace: c.Workspace, inside: within(c.File, c.Workspace)}
	for _, section := range []struct {
		name string
		raw  json.RawMessage
	}{{"mcpServers", f.McpServers}, {"servers", f.Servers}} {
		if section.raw == nil {
			continue
		}
		list, err := f.servers(section.name, section.raw, v)
		if err != nil {
			return err
		}
		for _, s := range list {
			for _, other := range c.Servers {
				if other.Name == s.Name {
					return &Error{f.path + ": servers." + s.Key, "is also in mcpServers: keep one of the two"}
				}
			}
			c.Servers = append(c.Servers, s)
		}
	}
	c.Notes = f.notes
	c.CacheDir, c.TokenDir = cacheDir(), tokenDir()
	return nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// source names where a value came from: the first of the pairs that is set.
func source(value1, name1, value2, name2, rest string) string {
	switch {
	case value1 != "":
		return name1
	case value2 != "":
		return name2
	}
	return rest
}

func oneOf(where, got string, want ...string) (string, error) {
	for _, w := range want {
		if got == w {
			return got, nil
		}
	}
	return "", &Error{where, fmt.Sprintf("%q is not one of %s", got, strings.Join(want, ", "))}
}

// limits sets what the file says of limits and the environment does not.
func (f file) limits(l *limits.Limits) error {
	for name, raw := range f.Limits {
		where := f.path + ": limits." + name
		known := limits.Names()
		if !contains(known, name) {
			return &Error{where, "is unknown" + didYouMean(name, known)}
		}
		value := strings.Trim(string(raw), `"`)
		probe := *l
		if err := probe.Set(name, value); err != nil {
			return &Error{where, err.Error()}
		}
		if os.Getenv(name) == "" {
			*l = probe
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func didYouMean(name string, known []string) string {
	if near := catalog.Nearest(name, known); len(near) > 0 {
		return ": did you mean " + strconv.Quote(near[0]) + "?"
	}
	return "; known: " + strings.Join(known, ", ")
}
