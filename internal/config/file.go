package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/jsonc"
	"golang.org/x/sys/unix"

	"codemode-mcp/internal/catalog"
)

// file is the config file as it is written. Its keys are the JSON names here.
type file struct {
	path       string
	Workspace  string                     `json:"workspace"`
	Writable   bool                       `json:"writable"`
	Role       string                     `json:"role"`
	LogLevel   string                     `json:"logLevel"`
	LogFormat  string                     `json:"logFormat"`
	Aliases    []string                   `json:"aliases"`
	Expose     string                     `json:"expose"`
	Resident   []string                   `json:"residentTools"`
	Limits     map[string]json.RawMessage `json:"limits"`
	McpServers json.RawMessage            `json:"mcpServers"`
	Servers    json.RawMessage            `json:"servers"`
	HTTP       json.RawMessage            `json:"http"`
	Auth       json.RawMessage            `json:"auth"`
	notes      []string
}

var fileKeys = []string{"workspace", "writable", "role", "logLevel", "logFormat", "aliases", "expose", "residentTools", "limits", "mcpServers", "servers", "http", "auth"}

// note keeps a remark that is no mistake.
func (f *file) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// MaxFile bounds a config file, in bytes.
const MaxFile = 4 << 20

func readFile(path string) (file, error) {
	f := file{path: path}
	// Without O_NONBLOCK a named pipe that nobody writes to would never be opened.
	r, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return f, &Error{"--config", err.Error()}
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return f, &Error{path, err.Error()}
	}
	if len(text) > MaxFile {
		return f, &Error{path, fmt.Sprintf("is larger than %d bytes", MaxFile)}
	}
	return parseFile(path, text)
}

// parseFile reads the text of a config file: JSON, with comments and trailing
// commas as VS Code writes them. Windows editors put a byte order mark in front:
// it is dropped.
//
// A client's own file may be given as it is. Where there are servers, keys that
// are nothing like ours are taken for that client's and noted; a slip of one of
// ours is a mistake everywhere.
func parseFile(path string, text []byte) (file, error) {
	f := file{path: path}
	if !utf8.Valid(text) { // encoding/json would put other letters in their place
		return f, &Error{path, "is not UTF-8"}
	}
	text = jsonc.ToJSON(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	var keys map[string]json.RawMessage
	if json.Valid(text) && kindOf(text) != "an object" {
		return f, &Error{path, "must be an object, not " + kindOf(text)}
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return f, &Error{path, jsonReason(text, err)}
	}
	all, err := members(text)
	if err != nil {
		return f, &Error{path, err.Error()}
	}
	clients := keys["mcpServers"] != nil || keys["servers"] != nil
	for _, m := range all {
		if slices.Contains(fileKeys, m.key) {
			if err := unique(m.value); err != nil {
				return f, &Error{path + ": " + m.key, err.Error()}
			}
			continue
		}
		if !clients || len(catalog.Nearest(m.key, fileKeys)) > 0 {
			return f, &Error{path + ": " + m.key, "is unknown" + didYouMean(m.key, fileKeys)}
		}
		f.note("%s: %s belongs to another program and was ignored", path, m.key)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, &Error{path, jsonReason(text, err)}
	}
	return f, nil
}

// jsonReason adds line and column to an error of encoding/json.
func jsonReason(text []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, column := position(text, syntax.Offset)
		return fmt.Sprintf("is not valid JSON at line %d, column %d: %v", line, column, err)
	case errors.As(err, &kind):
		line, column := position(text, kind.Offset)
		return fmt.Sprintf("line %d, column %d: %s must be a %v, not a %s", line, column, kind.Field, kind.Type, kind.Value)
	}
	return err.Error()
}

func position(text []byte, offset int64) (line, column int) {
	before := text[:min(int(offset), len(text))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
