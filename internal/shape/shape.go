// Package shape learns the form of JSON values and writes it as TypeScript: which
// keys an object has and of which kinds its values are, never a value.
//
// It owns what of a value may be told. Keys are data too and could carry
// instructions: only short identifiers become the names of properties, few of
// them and sorted, and everything else becomes a Record. It must import no other
// package of this module.
package shape

import (
	"slices"
)

const (
	// maxKey is how long the name of a property may be, in bytes.
	maxKey = 40
	// maxKeys is how many properties an object may have before it is a Record.
	maxKeys = 40
	// maxDepth is how many arrays and objects may lie in one another; what lies
	// deeper is unknown.
	maxDepth = 6
	// maxElements is how many elements of an array, and values of a Record, are
	// looked at.
	maxElements = 50
	// maxNodes is how many values of one result are looked at.
	maxNodes = 5000
	// maxParts bounds a shape over all merges.
	maxParts = 300
	// MaxBytes is how long a result may be to be learned from.
	MaxBytes = 1 << 20
)

// Shape is the form of some values. Nil is of none. It does not change once made.
type Shape struct {
	null, boolean, number, text bool
	// elements is of all elements of all arrays.
	elements *Shape
	array    bool
	// fields are the properties of all objects, sorted, unless the objects are
	// Records: then values is of all their values.
	object bool
	record bool
	fields []field
	values *Shape
	// unknown says that there is more than can be told.
	unknown bool
}

type field struct {
	name string
	// always says that every object seen had it.
	always bool
	shape  *Shape
}

// Merge is the shape of the values of both.
func Merge(a, b *Shape) *Shape {
	m := merge(a, b)
	if m.Parts() > maxParts {
		return a // it has grown without an end: what was known stays
	}
	return m
}

func merge(a, b *Shape) *Shape {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	m := &Shape{
		null: a.null || b.null, boolean: a.boolean || b.boolean, number: a.number || b.number, text: a.text || b.text,
		array: a.array || b.array, elements: merge(a.elements, b.elements),
		object: a.object || b.object, unknown: a.unknown || b.unknown,
	}
	switch {
	case a.object && b.object:
		m.fields = mergeFields(a.fields, b.fields)
	case a.object:
		m.fields = a.fields
	case b.object:
		m.fields = b.fields
	}
	m.values = merge(a.values, b.values)
	if a.record || b.record || len(m.fields) > maxKeys {
		m.toRecord()
	}
	return m
}

// mergeFields keeps the order by name.
func mergeFields(a, b []field) []field {
	var out []field
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b) || i < len(a) && a[i].name < b[j].name:
			out = append(out, field{a[i].name, false, a[i].shape})
			i++
		case i == len(a) || b[j].name < a[i].name:
			out = append(out, field{b[j].name, false, b[j].shape})
			j++
		default:
			out = append(out, field{a[i].name, a[i].always && b[j].always, merge(a[i].shape, b[j].shape)})
			i++
			j++
		}
	}
	return out
}

// toRecord forgets the names of an object's properties.
func (s *Shape) toRecord() {
	s.record = true
	for _, f := range s.fields {
		s.values = merge(s.values, f.shape)
	}
	s.fields = nil
}

// Parts counts what a shape is made of.
func (s *Shape) Parts() int {
	if s == nil {
		return 0
	}
	n := 1 + s.elements.Parts() + s.values.Parts()
	for _, f := range s.fields {
		n += f.shape.Parts()
	}
	return n
}

// Equal reports whether two shapes are the same.
func Equal(a, b *Shape) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.null == b.null && a.boolean == b.boolean && a.number == b.number && a.text == b.text &&
		a.array == b.array && a.object == b.object && a.record == b.record && a.unknown == b.unknown &&
		Equal(a.elements, b.elements) && Equal(a.values, b.values) &&
		slices.EqualFunc(a.fields, b.fields, func(x, y field) bool {
			return x.name == y.name && x.always == y.always && Equal(x.shape, y.shape)
		})
}

// mayName reports whether a key may be the name of a property.
func mayName(key string) bool {
	if key == "" || len(key) > maxKey {
		return false
	}
	for i, r := range key {
		switch {
		case r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		case i > 0 && '0' <= r && r <= '9':
		default:
			return false
		}
	}
	return true
}
