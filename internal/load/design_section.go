package load

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// section is one table of a design file, such as [[table.gsi]]. Its reader asks
// for the keys it knows; done reports those that nobody asked for.
type section struct {
	d      *designFile
	n      *node.Node
	title  string // "[[table.gsi]]"
	parent *section
	asked  []string
}

func (s *section) get(key string) *node.Node {
	if !slices.Contains(s.asked, key) {
		s.asked = append(s.asked, key)
	}
	return s.n.Get(key)
}

// has tells whether the key is written, without asking for it.
func (s *section) has(key string) bool { return s.n.Get(key) != nil }

// done reports the unknown keys.
func (s *section) done() {
	for _, p := range s.n.Pairs {
		key := p.Key.Text
		if slices.Contains(s.asked, key) {
			continue
		}
		hint := nearest(key, s.asked)
		switch {
		case hint != "":
			hint = fmt.Sprintf(", did you mean %q?", hint)
		case s.parent != nil && slices.Contains(s.parent.asked, key):
			hint = fmt.Sprintf(", it is a key of %s and must stand before the first %s", s.parent.title, s.title)
		default:
			hint = ", expected " + strings.Join(s.asked, ", ")
		}
		s.d.errorf(p.Key.At, "unknown key %q in %s%s", key, s.title, hint)
	}
}

// table returns a sub-table written inline or by a header, or nil.
func (s *section) table(key, title string) *section {
	n := s.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != node.Map {
		s.d.errorf(n.At, "%q in %s must be a table such as %s, not %s", key, s.title, title, describe(n))
		return nil
	}
	return &section{d: s.d, n: n, title: title, parent: s}
}

// tables returns the elements of an array of tables.
func (s *section) tables(key string) (out []*section) {
	title := "[[" + key + "]]"
	if s.parent != nil {
		title = "[[table." + key + "]]"
	}
	n := s.get(key)
	switch {
	case n == nil:
		return nil
	case n.Kind == node.Map: // one pair of brackets: read it all the same
		s.d.errorf(n.At, "%q must be an array of tables, write %s with two brackets", key, title)
		return []*section{{d: s.d, n: n, title: title, parent: s}}
	case n.Kind != node.Seq:
		s.d.errorf(n.At, "%q must be an array of tables written as %s, not %s", key, title, describe(n))
		return nil
	}
	for _, el := range n.Items {
		if el.Kind != node.Map {
			s.d.errorf(el.At, "%q must hold tables written as %s, not %s", key, title, describe(el))
			continue
		}
		out = append(out, &section{d: s.d, n: el, title: title, parent: s})
	}
	return out
}

// field reads a key with a parser; absent when it is not written, unresolved
// when it is wrong.
func field[T any](s *section, key string, parse func(*node.Node) (T, string)) source.Value[T] {
	n := s.get(key)
	if n == nil {
		return source.Absent[T](s.n.At)
	}
	return value(s, key, n, parse)
}

// value reads a node that stands under the name what.
func value[T any](s *section, what string, n *node.Node, parse func(*node.Node) (T, string)) source.Value[T] {
	v, wrong := parse(n)
	if wrong != "" {
		s.d.errorf(n.At, "%q in %s %s", what, s.title, wrong)
		return source.Unresolved[T](fmt.Sprintf("%q is not readable", what), n.At)
	}
	return source.Written(v, n.At)
}

func (s *section) text(key string) source.Value[string] { return field(s, key, asText) }
func (s *section) truth(key string) source.Value[bool]  { return field(s, key, asBool) }
func (s *section) whole(key string, low int64) source.Value[int64] {
	return field(s, key, asWhole(low))
}
func (s *section) size(key string) source.Value[int64] { return field(s, key, asSize) }

// required is text that must be there.
func (s *section) required(key string) source.Value[string] {
	v := s.text(key)
	if v.Absent() {
		s.d.errorf(s.n.At, "%s needs a %q", s.title, key)
		return source.Unresolved[string](fmt.Sprintf("%q is missing", key), s.n.At)
	}
	return v
}

// texts reads a list of strings. A list that is not written has no place.
func (s *section) texts(key string) source.List[source.Value[string]] {
	n := s.get(key)
	if n == nil {
		return source.List[source.Value[string]]{}
	}
	if n.Kind != node.Seq {
		s.d.errorf(n.At, "%q in %s must be a list of strings, not %s", key, s.title, describe(n))
		return source.List[source.Value[string]]{At: n.At, Incomplete: fmt.Sprintf("%q is not readable", key)}
	}
	return s.items(key, n)
}

func (s *section) items(key string, n *node.Node) source.List[source.Value[string]] {
	list := source.List[source.Value[string]]{At: n.At}
	for _, el := range n.Items {
		if v := value(s, key, el, asText); v.Known() {
			list.Items = append(list.Items, v)
		} else {
			list.Incomplete = fmt.Sprintf("an element of %q is not readable", key)
		}
	}
	return list
}

// entries calls f for each pair of a table with free keys.
func (s *section) entries(key, title string, f func(sub *section, key string, v *node.Node)) {
	sub := s.table(key, title)
	if sub == nil {
		return
	}
	sub.title = key + " of " + s.title
	for _, p := range sub.n.Pairs {
		f(sub, p.Key.Text, p.Value)
	}
}
