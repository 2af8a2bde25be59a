// Package schema checks JSON values against JSON Schemas that strangers wrote,
// and says in a model's words what does not fit.
//
// It owns compiling (no loader at all: a schema can't make us read a file or a
// URL) and the wording of violations. It must import no other package of this
// module but catalog, for near names.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// maxSchemaBytes bounds a schema that is compiled, in bytes.
	maxSchemaBytes = 1 << 20
	// maxDepth bounds the nesting of a schema and of a value: both are walked
	// recursively.
	maxDepth = 256
	// patternTimeout bounds one match of a foreign pattern.
	patternTimeout = 50 * time.Millisecond
)

// errNoLoader is what every reference outside of the schema gets.
var errNoLoader = errors.New("references outside of the schema are not followed")

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errNoLoader }

// Schema is a compiled JSON Schema. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema

	mu   sync.Mutex // one check at a time: they share the budget
	cost *budget
}

// Compile reads a schema of draft-04 to 2020-12 (2020-12 when it does not say).
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("schema has %d bytes, at most %d are read", len(raw), maxSchemaBytes)
	}
	doc, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	cost := &budget{}
	c.UseRegexpEngine(cost.compilePattern)
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "mem:///budget", Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
		return cost, nil
	}})
	c.AssertVocabs()
	const url = "mem:///schema.json"
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %s", refusal(err, url, doc))
	}
	return &Schema{compiled: compiled, cost: cost}, nil
}

// refusal says what is wrong with a schema, without the names that we gave it.
func refusal(err error, url string, doc any) string {
	var bad *jsonschema.SchemaValidationError
	var ve *jsonschema.ValidationError
	if errors.As(err, &bad) && errors.As(bad.Err, &ve) {
		return strings.Join(explain(ve, nil, doc), "; ")
	}
	return cutAt(strings.ReplaceAll(err.Error(), url, ""), maxSentence)
}

// Validate checks a JSON text. It returns nil, or what does not fit, each as one
// sentence that begins with the path. A pattern that takes too long fits: who asks
// is not the last to check.
func (s *Schema) Validate(raw json.RawMessage) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.validateLocked(raw)
}

// Prove is Validate where nobody checks again: what could not be checked does not
// fit.
func (s *Schema) Prove(raw json.RawMessage) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	bad := s.validateLocked(raw)
	if len(bad) == 0 && s.cost.skipped != "" {
		bad = []string{fmt.Sprintf("the value can't be checked: the pattern %q takes too long on it (write it without repeats within repeats, or bound the text with maxLength)", cutAt(s.cost.skipped, maxSentence))}
	}
	return bad
}

func (s *Schema) validateLocked(raw json.RawMessage) (bad []string) {
	s.cost.refill()
	defer func() {
		if p := recover(); p == errTooCostly {
			bad = []string{"the value can't be checked: its schema takes too long"}
		} else if p != nil {
			panic(p)
		}
	}()
	doc, err := decode(raw)
	if err != nil {
		return []string{err.Error()}
	}
	err = s.compiled.Validate(doc)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []string{err.Error()}
	}
	return explain(ve, s.compiled, doc)
}

func decode(raw json.RawMessage) (any, error) {
	if d := depth(raw); d > maxDepth {
		return nil, fmt.Errorf("the JSON nests deeper than %d levels", maxDepth)
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(raw))
}

// depth is the deepest nesting of a JSON text, found without recursion.
func depth(raw []byte) int {
	deepest, now, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString:
			if c == '\\' {
				i++
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

const (
	// maxSteps and maxTime bound one check. Schemas are foreign: a kilobyte of
	// references can double the work at every level.
	maxSteps = 1_000_000
	maxTime  = time.Second
)

// errTooCostly stops a check from within; the library has no other way out.
var errTooCostly = errors.New("schema is too costly")

// budget counts the work of one check. It is attached to every subschema.
type budget struct {
	steps    int
	deadline time.Time
	skipped  string // a pattern that took too long
}

func (b *budget) refill() { b.steps, b.deadline, b.skipped = 0, time.Now().Add(maxTime), "" }

// Validate takes one step.
func (b *budget) Validate(*jsonschema.ValidatorContext, any) {
	if b.steps++; b.steps > maxSteps || b.steps%1024 == 0 && time.Now().After(b.deadline) {
		panic(errTooCostly)
	}
}

// pattern is an ECMAScript pattern, as JSON Schema wants (2020-12 core, 6.4).
// Go's own regexp lacks lookaround, which real schemas use.
type pattern struct {
	re   *regexp2.Regexp
	cost *budget
}

func (p pattern) String() string { return p.re.String() }

// MatchString lets a pattern that takes too long pass, and notes it: for the
// arguments of a tool, which checks them again, a refusal would be a lie.
func (p pattern) MatchString(s string) bool {
	if !p.cost.deadline.IsZero() && time.Now().After(p.cost.deadline) {
		p.cost.skipped = p.String()
		return true // the time of the whole check is spent
	}
	ok, err := p.re.MatchString(s)
	if err != nil {
		p.cost.skipped = p.String()
	}
	return ok || err != nil
}

func (b *budget) compilePattern(s string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(s, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		if re, err = regexp2.Compile(s, regexp2.None); err != nil {
			return nil, err
		}
	}
	re.MatchTimeout = patternTimeout
	return pattern{re, b}, nil
}
