package terraform

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// reader reads typed values of attribute trees. A value of the wrong type is a
// diagnostic and unresolved. Terraform converts between text, numbers and
// booleans, and so does this.
type reader struct{ errs []*source.Diagnostic }

// member returns an argument that is set, or nil.
func member(n *node.Node, key string) *node.Node {
	if v := n.Get(key); v != nil && (v.Kind != node.Null || IsUnknown(v)) {
		return v
	}
	return nil
}

// place is that of an argument, or of what it is left out of.
func place(n *node.Node, key string) source.Span {
	switch v := n.Get(key); {
	case v != nil:
		return v.At
	case n != nil:
		return n.At
	}
	return source.Span{}
}

// value reads one argument. Of a block that is not known, nothing is.
func value[T any](r *reader, n *node.Node, key string, conv func(*node.Node) (T, string)) source.Value[T] {
	if IsUnknown(n) {
		return source.Unresolved[T](n.Text, n.At)
	}
	v := member(n, key)
	switch {
	case v == nil:
		return source.Absent[T](place(n, key))
	case IsUnknown(v):
		return source.Unresolved[T](v.Text, v.At)
	}
	x, want := conv(v)
	if want != "" {
		r.errs = append(r.errs, source.Errorf(v.At, "%s is %s, expected %s", key, show(v), want))
		return source.Unresolved[T](key+" is not "+want, v.At)
	}
	return source.Written(x, v.At)
}

func asText(v *node.Node) (string, string) {
	if v.Kind == node.Map || v.Kind == node.Seq {
		return "", "text"
	}
	return v.Text, ""
}

func asWhole(v *node.Node) (int64, string) {
	f, want := asFloat(v)
	if i, err := strconv.ParseInt(v.Text, 10, 64); want == "" && err == nil {
		return i, ""
	}
	if want != "" || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, "a whole number"
	}
	return int64(f), ""
}

func asFloat(v *node.Node) (float64, string) {
	f, err := strconv.ParseFloat(v.Text, 64)
	if v.Kind != node.Number && v.Kind != node.String || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, "a number"
	}
	return f, ""
}

func asBool(v *node.Node) (bool, string) {
	if v.Kind == node.Bool || v.Kind == node.String {
		if v.Text == "true" || v.Text == "false" {
			return v.Text == "true", ""
		}
	}
	return false, "true or false"
}

// text reads text; "" is what the provider takes for left out.
func (r *reader) text(n *node.Node, key string) source.Value[string] {
	v := value(r, n, key, asText)
	if source.Is(v, "") {
		return source.Absent[string](v.At)
	}
	return v
}

func (r *reader) number(n *node.Node, key string) source.Value[int64] {
	return value(r, n, key, asWhole)
}

// flag reads a boolean that is false where it is left out.
func (r *reader) flag(n *node.Node, key string) source.Value[bool] {
	v := value(r, n, key, asBool)
	if v.Absent() {
		return source.Defaulted(false, v.At)
	}
	return v
}

// word reads one of the words an argument takes.
func (r *reader) word(n *node.Node, key string, words ...string) source.Value[string] {
	v := r.text(n, key)
	if got, ok := v.Get(); ok && !slices.Contains(words, got) {
		want := strings.Join(words, " or ")
		r.errs = append(r.errs, source.Errorf(v.At, "%s is %q, expected %s", key, got, want))
		return source.Unresolved[string](key+" is not "+want, v.At)
	}
	return v
}

// required reads text without which its parent says nothing.
func (r *reader) required(n *node.Node, key string) source.Value[string] {
	v := r.text(n, key)
	if v.Absent() {
		r.errs = append(r.errs, source.Errorf(v.At, "%s is missing", key))
		return source.Unresolved[string](key+" is missing", v.At)
	}
	return v
}

// blocks are the nested blocks of one kind: those that are certain, and why
// there may be more.
type blocks struct {
	items      []*node.Node
	at         source.Span
	incomplete string
}

func (r *reader) blocks(n *node.Node, key string) blocks {
	out := blocks{at: place(n, key)}
	if IsUnknown(n) {
		out.incomplete = n.Text
		return out
	}
	v := member(n, key)
	switch {
	case v == nil:
		return out
	case IsUnknown(v):
		out.incomplete = v.Text
		return out
	case v.Kind == node.Map:
		out.items = []*node.Node{v}
		return out
	case v.Kind != node.Seq:
		out.incomplete = r.wrong(v, key, "blocks")
		return out
	}
	for _, item := range v.Items {
		switch {
		case IsUnknown(item):
			out.incomplete = item.Text
		case item.Kind != node.Map:
			out.incomplete = r.wrong(item, "an entry of "+key, "a block")
		default:
			out.items = append(out.items, item)
		}
	}
	return out
}

// block is the one block of a kind: empty where there is none, an Unknown
// where that is not known.
func (r *reader) block(n *node.Node, key string) *node.Node {
	b := r.blocks(n, key)
	switch {
	case len(b.items) > 0:
		return b.items[0]
	case b.incomplete != "":
		return Unknown(b.incomplete, b.at)
	}
	return &node.Node{Kind: node.Map, At: b.at}
}

// texts reads a list or set of texts.
func (r *reader) texts(n *node.Node, key string) source.List[source.Value[string]] {
	out := source.List[source.Value[string]]{At: place(n, key)}
	v := member(n, key)
	switch {
	case v == nil:
		return out
	case IsUnknown(v):
		out.Incomplete = v.Text
		return out
	case v.Kind != node.Seq:
		out.Incomplete = r.wrong(v, key, "a list")
		return out
	}
	for _, item := range v.Items {
		text, want := asText(item)
		switch {
		case IsUnknown(item):
			out.Incomplete = item.Text
		case want != "" || item.Kind == node.Null:
			out.Incomplete = r.wrong(item, "an entry of "+key, "text")
		default:
			out.Items = append(out.Items, source.Written(text, item.At))
		}
	}
	return out
}

// tags reads a map of tags.
func (r *reader) tags(n *node.Node, key string) source.List[table.Tag] {
	out := source.List[table.Tag]{At: place(n, key)}
	v := member(n, key)
	switch {
	case v == nil:
		return out
	case IsUnknown(v):
		out.Incomplete = v.Text
		return out
	case v.Kind != node.Map:
		out.Incomplete = r.wrong(v, key, "a map")
		return out
	}
	for _, p := range v.Pairs {
		if IsUnknown(p.Key) {
			out.Incomplete = p.Key.Text
			continue
		}
		out.Items = append(out.Items, table.Tag{
			Key: source.Written(p.Key.Text, p.Key.At), Value: value(r, v, p.Key.Text, asText),
		})
	}
	return out
}

// wrong reports a value of the wrong kind and returns the reason.
func (r *reader) wrong(v *node.Node, key, want string) string {
	r.errs = append(r.errs, source.Errorf(v.At, "%s is %s, expected %s", key, show(v), want))
	return key + " is not " + want
}

// show names a value for a message, cut where it is long.
func show(v *node.Node) string {
	switch v.Kind {
	case node.Map:
		return "a map"
	case node.Seq:
		return "a list"
	case node.Null:
		return "null"
	case node.String:
		text := []rune(v.Text)
		if len(text) > 40 {
			text = append(text[:40], '…')
		}
		return strconv.Quote(string(text))
	}
	return v.Text
}
