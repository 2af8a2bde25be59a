package sdkgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// form is what kind of JSON value a node is.
type form uint8

const (
	formNull form = iota
	formBool
	formNumber
	formString
	formArray
	formObject
	// formCut stands for what a bound kept out of the tree.
	formCut
)

// node is one JSON value with its keys in the order they were written.
type node struct {
	form form
	// yes is the value of a boolean.
	yes bool
	// text is a string's value or a number as it was written.
	text string
	// keys are an object's names; keys[i] belongs to items[i].
	keys []string
	// items are an array's elements or an object's values.
	items []*node
	// pos finds a key in an object with many of them.
	pos map[string]int
}

// linearKeys is how many keys are found by looking at each.
const linearKeys = 8

// get is the value of an object's key, or nil.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.items[i]
	}
	return nil
}

func (n *node) find(key string) int {
	if n == nil || n.form != formObject {
		return -1
	}
	if n.pos != nil {
		if i, ok := n.pos[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range n.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// set adds a key. A repeated one keeps its place and takes the last value, as
// JSON.parse does.
func (n *node) set(key string, v *node) {
	if i := n.find(key); i >= 0 {
		n.items[i] = v
		return
	}
	n.keys = append(n.keys, key)
	n.items = append(n.items, v)
	switch {
	case n.pos != nil:
		n.pos[key] = len(n.keys) - 1
	case len(n.keys) > linearKeys:
		n.pos = make(map[string]int, 2*len(n.keys))
		for i, k := range n.keys {
			n.pos[k] = i
		}
	}
}

// str is the text of a string at key, or "".
func (n *node) str(key string) string {
	if v := n.get(key); v != nil && v.form == formString {
		return v.text
	}
	return ""
}

// isTrue reports whether the value at key is true.
func (n *node) isTrue(key string) bool {
	v := n.get(key)
	return v != nil && v.form == formBool && v.yes
}

// isFalse reports whether the value at key is false.
func (n *node) isFalse(key string) bool {
	v := n.get(key)
	return v != nil && v.form == formBool && !v.yes
}

// list is the elements of an array at key, or nil.
func (n *node) list(key string) []*node {
	if v := n.get(key); v != nil && v.form == formArray {
		return v.items
	}
	return nil
}

// cut is the one node that stands for everything left out.
var cut = &node{form: formCut}

// parse reads one JSON text into a tree, within the bounds.
func parse(data []byte) (*node, error) {
	if len(data) > maxSchemaBytes {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(data), maxSchemaBytes)
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("it is not valid JSON: %w", err)
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not valid JSON: more follows after the value")
	}
	return n, nil
}

type parser struct {
	dec   *json.Decoder
	nodes int
}

// value reads the next value. It calls itself at most maxParseDepth deep.
func (p *parser) value(depth int) (*node, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	p.nodes++
	delim, nested := tok.(json.Delim)
	if nested && (depth >= maxParseDepth || p.nodes > maxNodes) {
		return cut, p.skip()
	}
	if p.nodes > maxNodes {
		return cut, nil
	}
	if nested {
		return p.nested(delim, depth)
	}
	switch v := tok.(type) {
	case bool:
		return &node{form: formBool, yes: v}, nil
	case json.Number:
		return &node{form: formNumber, text: v.String()}, nil
	case string:
		return &node{form: formString, text: v}, nil
	}
	return &node{form: formNull}, nil
}

func (p *parser) nested(open json.Delim, depth int) (*node, error) {
	n := &node{form: formArray}
	if open == '{' {
		n.form = formObject
	}
	for p.dec.More() {
		var key string
		if n.form == formObject {
			tok, err := p.dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ = tok.(string)
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if n.form == formObject {
			n.set(key, v)
		} else {
			n.items = append(n.items, v)
		}
	}
	_, err := p.dec.Token()
	return n, err
}

// skip reads to the end of the array or object that was just opened.
func (p *parser) skip() error {
	for open := 1; open > 0; {
		tok, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return nil
}
