package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	yaml "go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"ddbvet/internal/source"
)

// The bounds on a YAML file. Real templates nest less than 30 deep; aliases
// share nodes here, but a reader that walks the tree would meet each one as
// often as it is named, so what they unfold to is counted.
const (
	maxYAMLDepth   = 500
	maxYAMLAliased = 200_000 // nodes that aliases and merge keys may add to a document
)

// ParseYAML reads every document of a YAML file; documents without content are
// left out. Aliases and merge keys are resolved, so the same Node may stand in
// several places and a tree must not be changed. A key given twice, an alias
// inside its own anchor and unfolding or nesting beyond the bounds are faults.
func ParseYAML(f *source.File) (docs []*Node, fault *source.Diagnostic) {
	defer func() {
		// The YAML library reports its own defects by panic.
		if r := recover(); r != nil {
			docs, fault = nil, source.Errorf(startOf(f), "not valid YAML: %v", r)
		}
	}()
	if name := UTF16(f.Data); name != "" {
		return nil, source.Errorf(startOf(f), "the file is %s, expected UTF-8", name)
	}
	limits := loaderlimits.New(loaderlimits.DepthValue(maxYAMLDepth))
	loader, err := yaml.NewLoader(bytes.NewReader(f.Data), yaml.WithPlugin(limits))
	if err != nil {
		return nil, source.Errorf(startOf(f), "not valid YAML: %v", err)
	}
	c := &yamlConverter{file: f, end: f.PosAt(len(f.Data)), lines: yamlLines(f.Data)}
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, c.syntaxFault(err)
		}
		n, d := c.document(&doc)
		if d != nil {
			return nil, d
		}
		if n != nil {
			docs = append(docs, n)
		}
	}
	if len(docs) == 0 {
		return nil, source.Errorf(startOf(f), "empty file, expected a YAML document")
	}
	return docs, nil
}

func startOf(f *source.File) source.Span {
	return source.Span{File: f, Start: source.Pos{Line: 1, Col: 1}}
}

// unfolded is an anchored node after conversion: how many nodes a walk of it
// meets and how deep it is.
type unfolded struct {
	node   *Node
	size   int
	height int
}

type yamlConverter struct {
	file    *source.File
	end     source.Pos // of the file
	lines   []int      // offsets of the lines as YAML counts them; nil where they are the file's
	done    map[*yaml.Node]*unfolded
	open    map[*yaml.Node]bool // anchored nodes that are being converted
	aliased int
}

// document converts one document; nil when it has no content.
func (c *yamlConverter) document(doc *yaml.Node) (*Node, *source.Diagnostic) {
	c.done, c.open, c.aliased = map[*yaml.Node]*unfolded{}, map[*yaml.Node]bool{}, 0
	root := doc
	if doc.Kind == yaml.DocumentNode {
		if len(doc.Content) == 0 {
			return nil, nil
		}
		root = doc.Content[0]
	}
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" && root.Value == "" {
		return nil, nil
	}
	u, d := c.convert(root, 0)
	if d != nil {
		return nil, d
	}
	return u.node, nil
}

func (c *yamlConverter) convert(y *yaml.Node, depth int) (*unfolded, *source.Diagnostic) {
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	if depth > maxYAMLDepth {
		return nil, source.Errorf(c.span(y), "nested more than %d levels deep", maxYAMLDepth)
	}
	if y.Anchor != "" {
		c.open[y] = true
		defer delete(c.open, y)
	}
	u := &unfolded{node: &Node{At: c.span(y), Tag: localTag(y.Tag)}, size: 1}
	var d *source.Diagnostic
	switch y.Kind {
	case yaml.MappingNode:
		u.node.Kind = Map
		d = c.mapping(u, y, depth)
	case yaml.SequenceNode:
		u.node.Kind = Seq
		for _, item := range y.Content {
			var v *unfolded
			if v, d = c.convert(item, depth+1); d != nil {
				return nil, d
			}
			u.add(v)
			u.node.Items = append(u.node.Items, v.node)
		}
	default:
		u.node.Kind, u.node.Text = scalarKind(y.Tag), y.Value
	}
	if d != nil {
		return nil, d
	}
	if y.Anchor != "" {
		c.done[y] = u
	}
	return u, nil
}

func (u *unfolded) add(v *unfolded) {
	u.size += v.size
	u.height = max(u.height, v.height+1)
}

// alias gives the anchored node itself, after counting what it unfolds to.
func (c *yamlConverter) alias(y *yaml.Node, depth int) (*unfolded, *source.Diagnostic) {
	if c.open[y.Alias] {
		return nil, source.Errorf(c.span(y), "alias *%s stands inside its own anchor", y.Value)
	}
	u := c.done[y.Alias]
	if u == nil {
		return nil, source.Errorf(c.span(y), "alias *%s names nothing that stands before it", y.Value)
	}
	if c.aliased += u.size; c.aliased > maxYAMLAliased {
		return nil, source.Errorf(c.span(y), "aliases unfold to more than %d nodes", maxYAMLAliased)
	}
	if depth+u.height > maxYAMLDepth {
		return nil, source.Errorf(c.span(y), "nested more than %d levels deep", maxYAMLDepth)
	}
	return u, nil
}

// mapping converts the entries of a map. Merged entries stand where the merge
// key stands; an entry of the map itself wins over them.
func (c *yamlConverter) mapping(u *unfolded, y *yaml.Node, depth int) *source.Diagnostic {
	own := map[string]*Node{}
	values := make([]*unfolded, len(y.Content))
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, d := c.convert(y.Content[i], depth+1)
		if d != nil {
			return d
		}
		v, d := c.convert(y.Content[i+1], depth+1)
		if d != nil {
			return d
		}
		values[i], values[i+1] = k, v
		if k.node.Kind == Map || k.node.Kind == Seq {
			return source.Errorf(c.span(y.Content[i]), "found a %s as a map key, expected text", k.node.Kind)
		}
		if y.Content[i].Tag == "!!merge" {
			continue
		}
		if first := own[k.node.Text]; first != nil {
			return source.Errorf(c.span(y.Content[i]), "key %q is given twice, on line %d and on line %d",
				k.node.Text, first.At.Start.Line, y.Content[i].Line)
		}
		own[k.node.Text] = k.node
	}
	for i := 0; i+1 < len(y.Content); i += 2 {
		if y.Content[i].Tag == "!!merge" {
			if d := c.merge(u, values[i+1], own); d != nil {
				return d
			}
			continue
		}
		u.add(values[i])
		u.add(values[i+1])
		u.node.Pairs = append(u.node.Pairs, Pair{values[i].node, values[i+1].node})
	}
	return nil
}

// merge adds the entries of a merge key's value, a map or a list of maps of
// which the earlier win, except those that taken already has.
func (c *yamlConverter) merge(u, from *unfolded, taken map[string]*Node) *source.Diagnostic {
	maps := []*Node{from.node}
	if from.node.Kind == Seq {
		maps = from.node.Items
	}
	for _, m := range maps {
		if m.Kind != Map {
			return source.Errorf(m.At, "found a %s after <<, expected a map or a list of maps", m.Kind)
		}
		for _, p := range m.Pairs {
			if taken[p.Key.Text] == nil {
				taken[p.Key.Text] = p.Key
				u.node.Pairs = append(u.node.Pairs, p)
			}
		}
	}
	u.add(from)
	return nil
}

// localTag keeps the tags that a document gives a meaning of its own.
func localTag(tag string) string {
	if tag == "!" || strings.HasPrefix(tag, "!!") {
		return ""
	}
	return tag
}

// scalarKind is the kind of a scalar with that resolved tag. Dates and other
// types of YAML 1.1 are text here.
func scalarKind(tag string) Kind {
	switch tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return String
}

// String is the kind's name in messages.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "text"
	case Seq:
		return "list"
	case Map:
		return "map"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}
