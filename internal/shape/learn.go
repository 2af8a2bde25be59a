package shape

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Of is the shape of one value. It is nil when the value is no JSON, or too large
// to be looked at.
func Of(value json.RawMessage) *Shape {
	if len(value) > MaxBytes {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	l := learner{dec: dec, left: maxNodes}
	s := l.value(0)
	if l.failed {
		return nil
	}
	return s
}

type learner struct {
	dec    *json.Decoder
	left   int
	failed bool
}

// value reads one value. What is beyond a bound is skipped.
func (l *learner) value(depth int) *Shape {
	if l.left--; l.left < 0 || depth > maxDepth {
		l.skip()
		return &Shape{unknown: true}
	}
	token, err := l.dec.Token()
	if err != nil {
		l.failed = true
		return nil
	}
	switch t := token.(type) {
	case nil:
		return &Shape{null: true}
	case bool:
		return &Shape{boolean: true}
	case json.Number:
		return &Shape{number: true}
	case string:
		return &Shape{text: true}
	case json.Delim:
		if t == '[' {
			return l.elements(depth)
		}
		return l.fields(depth)
	}
	return &Shape{unknown: true}
}

// skip passes over one value.
func (l *learner) skip() {
	var raw json.RawMessage
	if l.dec.Decode(&raw) != nil {
		l.failed = true
	}
}

func (l *learner) elements(depth int) *Shape {
	s := &Shape{array: true}
	for n := 0; l.dec.More() && !l.failed; n++ {
		if n >= maxElements {
			l.skip()
			continue
		}
		s.elements = merge(s.elements, l.value(depth+1))
	}
	l.end()
	return s
}

func (l *learner) fields(depth int) *Shape {
	s := &Shape{object: true}
	var bag *Shape // of every value, should this be a Record
	seen := map[string]bool{}
	for n := 0; l.dec.More() && !l.failed; n++ {
		token, err := l.dec.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			l.failed = true
			return nil
		}
		if s.record = s.record || !mayName(key) || n >= maxKeys; s.record && n >= maxElements {
			l.skip()
			continue
		}
		v := l.value(depth + 1)
		bag = merge(bag, v)
		if !s.record && !seen[key] {
			seen[key] = true
			s.fields = append(s.fields, field{key, true, v})
		}
	}
	l.end()
	if s.record {
		s.fields, s.values = nil, bag
	}
	slices.SortFunc(s.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return s
}

// end reads what closes an array or an object.
func (l *learner) end() {
	if _, err := l.dec.Token(); err != nil {
		l.failed = true
	}
}
