package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// member is one key of an object with its value.
type member struct {
	key   string
	value json.RawMessage
}

// members gives the keys of an object in the order of the file. A key that is
// there twice is a mistake: one of the two would be lost without a word.
func members(raw json.RawMessage) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("must be an object, not " + kindOf(raw))
	}
	var out []member
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: t.(string)} // a key always is one
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		if seen[m.key] {
			return nil, fmt.Errorf("has the key %q twice", m.key)
		}
		seen[m.key] = true
		out = append(out, m)
	}
	return out, nil
}

// read decodes one value. The error says what was wanted and what came, and
// never the value: it may be a secret.
func read(where string, raw json.RawMessage, want string, out any) error {
	if err := unique(raw); err != nil {
		return &Error{where, err.Error()}
	}
	if json.Unmarshal(raw, out) != nil {
		return &Error{where, "must be " + want + ", not " + inside(raw)}
	}
	return nil
}

// unique refuses an object that has a key twice.
func unique(raw json.RawMessage) error {
	if kindOf(raw) != "an object" {
		return nil
	}
	_, err := members(raw)
	return err
}

// inside says what a value is, and of a list or object what it holds.
func inside(raw json.RawMessage) string {
	kind := kindOf(raw)
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch kind {
	case "a list":
		_ = json.Unmarshal(raw, &list) // the file is known to be JSON
	case "an object":
		_ = json.Unmarshal(raw, &object)
	}
	for _, v := range list {
		if k := kindOf(v); k != "a string" {
			return kind + " with " + k
		}
	}
	for name, v := range object {
		if k := kindOf(v); k != "a string" {
			return fmt.Sprintf("%s in which %s is %s", kind, name, k)
		}
	}
	return kind
}

func kindOf(raw json.RawMessage) string {
	switch s := strings.TrimSpace(string(raw)); {
	case s == "":
		return "nothing"
	case s[0] == '{':
		return "an object"
	case s[0] == '[':
		return "a list"
	case s[0] == '"':
		return "a string"
	case s[0] == 't', s[0] == 'f':
		return "a boolean"
	case s[0] == 'n':
		return "null"
	}
	if _, err := strconv.Atoi(strings.TrimSpace(string(raw))); err != nil {
		return "a number with a fraction, an exponent, or too many digits"
	}
	return "a number"
}
