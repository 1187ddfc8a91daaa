package load

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func (d *designFile) addEntity(t *table.Table, e *table.Entity) {
	if name, ok := e.Name.Get(); ok {
		if first := t.EntityNamed(name); first != nil {
			d.errorf(e.Name.At, "table %q already has an entity %q at line %d", t.DisplayName(), name, first.Name.At.Start.Line)
			return
		}
	}
	t.Entities.Items = append(t.Entities.Items, e)
}

func (d *designFile) entity(s *section) *table.Entity {
	e := &table.Entity{At: s.n.At, Name: s.required("name")}
	s.entries("key", `key = { PK = "USER#{userId}" }`, func(sub *section, key string, v *node.Node) {
		e.Key = append(e.Key, table.Template{Attribute: key, Text: value(sub, key, v, asTemplate)})
	})
	e.Count = field(s, "count", asAmount)
	e.Size = s.itemSize()
	e.Distinct = s.stats("distinct", "distinct = { status = 4 }", asDistinct)
	e.Busiest = s.stats("busiest", "busiest = { companyId = 0.04 }", asShare)
	e.Growth, e.Retention = field(s, "growth", asDaily), field(s, "retention", asDuration)
	e.Owner = s.text("owner")
	s.entries("attributes", `attributes = { userId = "S" }`, func(sub *section, key string, v *node.Node) {
		e.Attributes = append(e.Attributes, sub.attribute(key, v))
	})
	s.done()
	return e
}

// itemSize reads one size or { p50, p99, max }.
func (s *section) itemSize() (size table.Size) {
	n := s.get("item_size")
	if n == nil || n.Kind != node.Map {
		one := source.Absent[int64](s.n.At)
		if n != nil {
			one = value(s, "item_size", n, asPositive)
		}
		return table.Size{P50: one, P99: one, Max: one}
	}
	sub := &section{d: s.d, n: n, title: "item_size of " + s.title, parent: s}
	size = table.Size{P50: field(sub, "p50", asPositive), P99: field(sub, "p99", asPositive), Max: field(sub, "max", asPositive)}
	sub.done()
	inOrder(sub, "p50", size.P50, "p99", size.P99)
	inOrder(sub, "p99", size.P99, "max", size.Max)
	if !size.P99.Known() {
		inOrder(sub, "p50", size.P50, "max", size.Max)
	}
	return size
}

// inOrder reports two known numbers of which the first is the larger.
func inOrder[T int64 | float64](s *section, low string, a source.Value[T], high string, b source.Value[T]) {
	x, ok := a.Get()
	if y, known := b.Get(); ok && known && x > y {
		s.d.errorf(b.At, "%q in %s must be at least %q, which is %v, not %v", high, s.title, low, x, y)
	}
}

func (s *section) stats(key, form string, parse func(*node.Node) (float64, string)) (out []table.Stat) {
	s.entries(key, form, func(sub *section, name string, v *node.Node) {
		out = append(out, table.Stat{Attribute: name, N: value(sub, name, v, parse)})
	})
	return out
}

// asDistinct is a number of distinct values: at least one.
func asDistinct(n *node.Node) (float64, string) {
	f, wrong := asAmount(n)
	if wrong == "" && f < 1 {
		wrong = "must be at least 1, not " + n.Text
	}
	return f, wrong
}

// attribute reads userId = "S" or answers = { type = "M", size = "900B" }.
func (s *section) attribute(name string, n *node.Node) table.EntityAttribute {
	a := table.EntityAttribute{At: s.keyAt(name), Name: name}
	if n.Kind != node.Map {
		a.Type = value(s, name, n, asType)
		return a
	}
	sub := &section{d: s.d, n: n, title: fmt.Sprintf("attribute %q", name), parent: s.parent}
	a.Type = field(sub, "type", asType)
	a.Size, a.Element = sub.size("size"), sub.size("element_size")
	a.Elements = sub.whole("max_elements", 1)
	a.Unbounded, a.Optional = sub.truth("unbounded"), sub.truth("optional")
	a.Copied = sub.text("copy_of")
	sub.done()
	return a
}

func asType(n *node.Node) (string, string) {
	if n.Kind == node.String && slices.Contains(attributeTypes(), n.Text) {
		return n.Text, ""
	}
	return "", "must be a type, one of " + strings.Join(attributeTypes(), ", ") + ", not " + describe(n)
}

// asTemplate takes literals with {attribute} places.
func asTemplate(n *node.Node) (string, string) {
	text, wrong := asText(n)
	if wrong != "" {
		return "", wrong
	}
	for rest := text; ; {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			return text, ""
		}
		end := strings.IndexAny(rest[i+1:], "{}")
		if rest[i] == '}' || end < 1 || rest[i+1+end] == '{' {
			return "", `must be a template such as "USER#{userId}" with a name in each pair of braces, not ` + describe(n)
		}
		rest = rest[i+1+end+1:]
	}
}

// entityKeys reports templates for attributes that are in no key. It speaks
// only where every key of the table is known.
func (d *designFile) entityKeys(t *table.Table) {
	if !t.GSIs.Complete() || !t.Attributes.Complete() {
		return
	}
	var names []string
	for _, k := range append([]table.Key{t.Key}, indexKeys(t)...) {
		if !k.Complete() {
			return
		}
		for _, e := range k.Elements {
			n, _ := e.Name.Get()
			names = append(names, n)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, e := range t.Entities.Items {
		for _, tmpl := range e.Key {
			if !slices.Contains(names, tmpl.Attribute) {
				d.errorf(tmpl.Text.At, "%q is not in a key of table %q or of its indexes%s", tmpl.Attribute, t.DisplayName(),
					nearestOrAll(tmpl.Attribute, names, "their key attributes are "))
			}
		}
	}
}

func indexKeys(t *table.Table) (keys []table.Key) {
	for _, ix := range t.Indexes() {
		keys = append(keys, ix.Key)
	}
	return keys
}
