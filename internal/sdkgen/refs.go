package sdkgen

import (
	"net/url"
	"strconv"
	"strings"
)

// document is one schema with its references resolved.
type document struct {
	root *node
	// legacy says that the schema names a draft older than 2019-09: there a
	// $ref hides its siblings.
	legacy bool
	// sites holds, for each schema with a $ref, what it leads to.
	sites map[*node]site
	// targets holds a name for each schema that some $ref leads to.
	targets map[*node]string

	ids     map[string]*node
	anchors map[anchor]*node
	pending []reference
}

// site is a resolved reference: a target, or why there is none.
type site struct {
	target *node
	why    string
}

// anchor is a plain name within one resource.
type anchor struct {
	resource *node
	name     string
}

// reference is a $ref as found: where, in which resource, and against what it
// is resolved.
type reference struct {
	at, resource *node
	base         string
	ref          string
}

// refKeywords are resolved alike: the dynamic ones to their static target.
var refKeywords = [...]string{"$ref", "$dynamicRef", "$recursiveRef"}

// dataKeywords hold values, not schemas.
var dataKeywords = map[string]bool{"enum": true, "const": true, "default": true, "examples": true, "example": true}

// mapKeywords hold schemas under names that are not keywords.
var mapKeywords = map[string]bool{
	"properties": true, "patternProperties": true, "$defs": true, "definitions": true,
	"dependentSchemas": true, "dependencies": true,
}

// newDocument finds and resolves every reference of a schema. Nothing outside
// the schema is ever looked up.
func newDocument(root *node) *document {
	d := &document{root: root, sites: map[*node]site{}, targets: map[*node]string{}}
	draft := root.str("$schema")
	d.legacy = strings.Contains(draft, "draft-0")
	d.walk(root, root, root.str("$id"), false)
	for _, r := range d.pending {
		target, name, why := d.resolve(r)
		d.sites[r.at] = site{target, why}
		if _, known := d.targets[target]; target != nil && !known {
			d.targets[target] = name
		}
	}
	d.pending = nil
	return d
}

// walk collects identifiers, anchors and references. The tree is at most
// maxParseDepth deep.
func (d *document) walk(n, resource *node, base string, names bool) {
	if n.form == formObject && !names {
		resource, base = d.identify(n, resource, base)
		for _, kw := range refKeywords {
			if v := n.get(kw); v != nil && v.form == formString {
				d.pending = append(d.pending, reference{n, resource, base, v.text})
				break
			}
		}
	}
	for i, child := range n.items {
		if len(child.items) == 0 {
			continue
		}
		named := false
		if n.form == formObject && !names {
			if dataKeywords[n.keys[i]] {
				continue
			}
			named = mapKeywords[n.keys[i]]
		}
		d.walk(child, resource, base, named)
	}
}

// identify notes the names a schema gives itself, and gives the resource and
// the base address that hold inside it.
func (d *document) identify(n, resource *node, base string) (*node, string) {
	id := n.str("$id")
	if d.legacy && n.get("$ref") != nil {
		id = ""
	}
	if name, ok := strings.CutPrefix(id, "#"); ok {
		d.addAnchor(resource, name, n)
	} else if id != "" {
		base = join(base, id)
		resource = n
		if d.ids == nil {
			d.ids = map[string]*node{}
		}
		for _, name := range [...]string{base, id} {
			if d.ids[name] == nil {
				d.ids[name] = n
			}
		}
	}
	for _, kw := range [...]string{"$anchor", "$dynamicAnchor"} {
		if name := n.str(kw); name != "" {
			d.addAnchor(resource, name, n)
		}
	}
	return resource, base
}

func (d *document) addAnchor(resource *node, name string, n *node) {
	if d.anchors == nil {
		d.anchors = map[anchor]*node{}
	}
	if a := (anchor{resource, name}); d.anchors[a] == nil {
		d.anchors[a] = n
	}
}

// join resolves an address against another one, without its fragment.
func join(base, ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// resolve follows one reference. It gives the target and a name for it, or says
// why there is none.
func (d *document) resolve(r reference) (target *node, name, why string) {
	address, fragment, _ := strings.Cut(r.ref, "#")
	resource := r.resource
	if address != "" {
		resource = d.ids[join(r.base, address)]
		if resource == nil {
			resource = d.ids[address]
		}
		if resource == nil {
			return nil, "", "$ref " + quote(r.ref) + " leads out of the schema"
		}
	}
	if fragment == "" {
		return resource, nameOf(address), ""
	}
	if !strings.HasPrefix(fragment, "/") {
		if n := d.anchors[anchor{resource, fragment}]; n != nil {
			return n, fragment, ""
		}
		return nil, "", "$ref " + quote(r.ref) + " is not in the schema"
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	target, name = follow(resource, fragment[1:])
	if target == nil {
		return nil, "", "$ref " + quote(r.ref) + " is not in the schema"
	}
	return target, name, ""
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// follow walks a JSON pointer and names what it finds after the last name on
// the way that is not a keyword.
func follow(n *node, pointer string) (*node, string) {
	name, suffix := "", ""
	named := false
	for token := range strings.SplitSeq(pointer, "/") {
		token = pointerEscapes.Replace(token)
		switch n.form {
		case formArray:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.items) {
				return nil, ""
			}
			n = n.items[i]
			continue
		case formObject:
			if n = n.get(token); n == nil {
				return nil, ""
			}
		default:
			return nil, ""
		}
		switch {
		case named:
			name, suffix, named = token, "", false
		case mapKeywords[token]:
			named = true
		case token == "items" || token == "prefixItems" || token == "additionalItems":
			suffix = "Item"
		case token == "additionalProperties":
			suffix = "Value"
		}
	}
	return n, name + suffix
}

// nameOf is the last part of an address, without its extension.
func nameOf(address string) string {
	address = address[strings.LastIndexByte(address, '/')+1:]
	name, _, _ := strings.Cut(address, ".")
	return name
}
