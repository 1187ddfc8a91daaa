package cfn

import (
	"strings"
	"unicode"

	"ddbvet/internal/load/node"
)

// loopPrefix begins the key of a loop of AWS::LanguageExtensions.
const loopPrefix = "Fn::ForEach::"

// maxLoopNodes bounds what loops may unfold to.
const maxLoopNodes = 300_000

// expandLoops unfolds every Fn::ForEach of a template. A loop over a list
// that is not known stays as it is.
func (e *eval) expandLoops(doc *node.Node) *node.Node {
	if !hasLoop(doc) {
		return doc
	}
	x := &expander{e: e, left: maxLoopNodes}
	return x.expand(doc)
}

func hasLoop(n *node.Node) bool {
	for _, p := range n.Pairs {
		if strings.HasPrefix(p.Key.Text, loopPrefix) || hasLoop(p.Value) {
			return true
		}
	}
	for _, it := range n.Items {
		if hasLoop(it) {
			return true
		}
	}
	return false
}

type expander struct {
	e    *eval
	left int // nodes that may still be made
}

func (x *expander) expand(n *node.Node) *node.Node {
	if n.Kind != node.Map && n.Kind != node.Seq {
		return n
	}
	out := *n
	out.Items, out.Pairs = nil, nil
	for _, it := range n.Items {
		out.Items = append(out.Items, x.expand(it))
	}
	taken := map[string]bool{}
	for _, p := range n.Pairs {
		taken[p.Key.Text] = true
	}
	for _, p := range n.Pairs {
		if strings.HasPrefix(p.Key.Text, loopPrefix) {
			out.Pairs = x.loop(out.Pairs, p, taken)
			continue
		}
		out.Pairs = append(out.Pairs, node.Pair{Key: p.Key, Value: x.expand(p.Value)})
	}
	return &out
}

// loop appends what one loop unfolds to, inner loops included, to the pairs
// of a map whose keys are taken.
func (x *expander) loop(pairs []node.Pair, p node.Pair, taken map[string]bool) []node.Pair {
	e, n := x.e, p.Value
	if n.Kind != node.Seq || len(n.Items) != 3 || n.Items[0].Kind != node.String || n.Items[2].Kind != node.Map {
		e.t.faultf(n.At, "found a malformed %s, expected [identifier, list, map of what to repeat]", p.Key.Text)
		return append(pairs, p)
	}
	items, why := x.collection(n.Items[1])
	if why != "" {
		e.t.faultf(n.Items[1].At, "what %s repeats is not read, because its list is not known: %s", p.Key.Text, why)
		return append(pairs, p)
	}
	for _, item := range items {
		for _, body := range n.Items[2].Pairs {
			made := node.Pair{Key: x.substitute(body.Key, n.Items[0].Text, item), Value: x.substitute(body.Value, n.Items[0].Text, item)}
			if x.left < 0 {
				e.t.faultf(n.At, "%s unfolds to more than %d nodes or to a text of more than %d bytes", p.Key.Text, maxLoopNodes, maxText)
				return pairs
			}
			if strings.HasPrefix(made.Key.Text, loopPrefix) {
				pairs = x.loop(pairs, made, taken)
				continue
			}
			if taken[made.Key.Text] {
				e.t.faultf(body.Key.At, "%s makes key %q twice", p.Key.Text, made.Key.Text)
				continue
			}
			taken[made.Key.Text] = true
			pairs = append(pairs, node.Pair{Key: made.Key, Value: x.expand(made.Value)})
		}
	}
	return pairs
}

// collection is the list a loop runs over, as texts.
func (x *expander) collection(n *node.Node) (items []string, why string) {
	a := x.e.single(n)
	switch {
	case a.why != "":
		return nil, a.why
	case a.node == nil || a.node.Kind != node.Seq:
		return nil, "it is no list"
	}
	for _, it := range a.node.Items {
		v := x.e.single(it)
		switch {
		case v.why != "":
			return nil, v.why
		case v.absent():
		case v.node.Kind == node.Seq: // a list parameter among the items
			for _, inner := range v.node.Items {
				items = append(items, scalarText(inner))
			}
		case v.node.Kind == node.Map:
			return nil, "an item is no text"
		default:
			items = append(items, scalarText(v.node))
		}
	}
	return items, ""
}

// substitute copies a node with the loop's identifier replaced.
func (x *expander) substitute(n *node.Node, id, item string) *node.Node {
	if x.left--; x.left < 0 {
		return n
	}
	if fn, arg, ok := call(n); ok && fn == "Ref" && arg.Kind == node.String && arg.Text == id {
		return &node.Node{Kind: node.String, Text: item, At: n.At}
	}
	out := *n
	out.Items, out.Pairs = nil, nil
	if n.Kind == node.String {
		if len(n.Text)+len(item)*strings.Count(n.Text, "{"+id+"}") > maxText {
			x.left = -1
			return n
		}
		out.Text = strings.ReplaceAll(n.Text, "${"+id+"}", item)
		out.Text = strings.ReplaceAll(out.Text, "&{"+id+"}", alphanumeric(item))
	}
	for _, it := range n.Items {
		out.Items = append(out.Items, x.substitute(it, id, item))
	}
	for _, p := range n.Pairs {
		out.Pairs = append(out.Pairs, node.Pair{Key: x.substitute(p.Key, id, item), Value: x.substitute(p.Value, id, item)})
	}
	return &out
}

// alphanumeric is what the &{} form makes of an item, for logical ids.
func alphanumeric(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
