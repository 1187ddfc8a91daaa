package load

import (
	"math"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// fields reads typed members of API-shaped documents. A member that is left
// out or null is absent; one of the wrong type is a diagnostic and unresolved,
// so that nothing is judged by it.
type fields struct{ errs []*source.Diagnostic }

// member returns a member that is there, or nil.
func member(n *node.Node, key string) *node.Node {
	if v := n.Get(key); v != nil && v.Kind != node.Null {
		return v
	}
	return nil
}

// wrong reports that a member is not what the API defines.
func (r *fields) wrong(v *node.Node, key, want string) string {
	r.errs = append(r.errs, source.Errorf(v.At, "%s is %s, expected %s", key, describeNode(v), want))
	return key + " is not " + want
}

func (r *fields) text(n *node.Node, key string) source.Value[string] {
	v := member(n, key)
	switch {
	case v == nil:
		return source.Absent[string](at(n))
	case v.Kind != node.String:
		return source.Unresolved[string](r.wrong(v, key, "text"), v.At)
	}
	return source.Written(v.Text, v.At)
}

// oneOf reads text that must be one of the API's values for it.
func (r *fields) oneOf(n *node.Node, key string, allowed ...string) source.Value[string] {
	v := r.text(n, key)
	got, ok := v.Get()
	if !ok {
		return v
	}
	for _, a := range allowed {
		if a == got {
			return v
		}
	}
	return source.Unresolved[string](r.wrong(member(n, key), key, strings.Join(allowed, " or ")), v.At)
}

func (r *fields) number(n *node.Node, key string) source.Value[int64] {
	v := member(n, key)
	if v == nil {
		return source.Absent[int64](at(n))
	}
	if i, ok := wholeNumber(v); ok {
		return source.Written(i, v.At)
	}
	return source.Unresolved[int64](r.wrong(v, key, "a whole number"), v.At)
}

func (r *fields) flag(n *node.Node, key string) source.Value[bool] {
	v := member(n, key)
	switch {
	case v == nil:
		return source.Absent[bool](at(n))
	case v.Kind != node.Bool:
		return source.Unresolved[bool](r.wrong(v, key, "true or false"), v.At)
	}
	return source.Written(v.Text == "true", v.At)
}

// object returns a member that is a map, or nil.
func (r *fields) object(n *node.Node, key string) *node.Node {
	v := member(n, key)
	if v != nil && v.Kind != node.Map {
		r.wrong(v, key, "a map")
		return nil
	}
	return v
}

// list returns the maps of a member that is a list, its place, and why the
// list is not whole.
func (r *fields) list(n *node.Node, key string) (items []*node.Node, place source.Span, incomplete string) {
	v := member(n, key)
	if v == nil {
		return nil, at(n), ""
	}
	if v.Kind != node.Seq {
		return nil, v.At, r.wrong(v, key, "a list")
	}
	for _, item := range v.Items {
		if item.Kind != node.Map {
			incomplete = r.wrong(item, "an entry of "+key, "a map")
			continue
		}
		items = append(items, item)
	}
	return items, v.At, incomplete
}

// at is the place of a node that may be missing.
func at(n *node.Node) source.Span {
	if n == nil {
		return source.Span{}
	}
	return n.At
}

// wholeNumber reads a number that stands for an integer, 5 or 5.0.
func wholeNumber(v *node.Node) (int64, bool) {
	if v.Kind != node.Number {
		return 0, false
	}
	if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// describeNode names a value for a message, cut where it is long.
func describeNode(v *node.Node) string {
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
