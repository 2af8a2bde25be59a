package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// file is the config file as it is written. Its keys are the JSON names here.
type file struct {
	path      string
	Workspace string                     `json:"workspace"`
	Writable  bool                       `json:"writable"`
	Role      string                     `json:"role"`
	LogLevel  string                     `json:"logLevel"`
	LogFormat string                     `json:"logFormat"`
	Aliases   []string                   `json:"aliases"`
	Limits    map[string]json.RawMessage `json:"limits"`
}

var fileKeys = []string{"workspace", "writable", "role", "logLevel", "logFormat", "aliases", "limits"}

// maxFile bounds a config file, in bytes.
const maxFile = 4 << 20

func readFile(path string) (file, error) {
	f := file{path: path}
	r, err := os.Open(path)
	if err != nil {
		return f, &Error{"--config", err.Error()}
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return f, &Error{path, err.Error()}
	}
	if len(text) > maxFile {
		return f, &Error{path, fmt.Sprintf("is larger than %d bytes", maxFile)}
	}
	return parseFile(path, text)
}

// parseFile reads the text of a config file. Windows editors put a byte order
// mark in front: it is dropped.
func parseFile(path string, text []byte) (file, error) {
	f := file{path: path}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return f, &Error{path, jsonReason(text, err)}
	}
	for key := range keys {
		if !slices.Contains(fileKeys, key) {
			return f, &Error{path + ": " + key, "is unknown" + didYouMean(key, fileKeys)}
		}
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
