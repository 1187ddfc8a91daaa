package plan

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// A keyAttr is one attribute of a key; Type is "" where it is not known.
type keyAttr struct{ Name, Type string }

// A view is one way into the items: the base table or an index.
type view struct {
	t         *table.Table
	ix        *table.Index // nil: the base table
	Partition []keyAttr
	Sort      []keyAttr
	needs     []string // what of the key is not known
}

func newView(t *table.Table, ix *table.Index) *view {
	v := &view{t: t, ix: ix}
	key := t.Key
	if ix != nil {
		key = ix.Key
	}
	for _, e := range key.Elements {
		name, ok := e.Name.Get()
		if !ok || !e.Role.Known() {
			v.needs = append(v.needs, fmt.Sprintf("a key attribute of %s%s", v, because(e.Name.Why)))
			continue
		}
		a := keyAttr{name, typeOf(t, e.Attribute)}
		if source.Is(e.Role, table.Hash) {
			v.Partition = append(v.Partition, a)
		} else {
			v.Sort = append(v.Sort, a)
		}
	}
	if key.Incomplete != "" || len(key.Elements) == 0 {
		v.needs = append(v.needs, fmt.Sprintf("the key of %s%s", v, because(key.Incomplete)))
	}
	return v
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// typeOf is the type of a key attribute, from its element or its definition.
func typeOf(t *table.Table, a table.Attribute) string {
	if typ, ok := a.Type.Get(); ok {
		return typ
	}
	for _, d := range t.Attributes.Items {
		if source.Is(d.Name, mustName(a.Name)) {
			typ, _ := d.Type.Get()
			return typ
		}
	}
	return ""
}

func mustName(v source.Value[string]) string {
	name, _ := v.Get()
	return name
}

// String names the view in messages.
func (v *view) String() string {
	if v.ix == nil {
		return fmt.Sprintf("table %q", v.t.DisplayName())
	}
	return fmt.Sprintf("index %q", v.ix.DisplayName())
}

// key returns all key attributes, partition first.
func (v *view) key() []keyAttr {
	return append(append([]keyAttr{}, v.Partition...), v.Sort...)
}

// has tells whether the attribute is part of the key.
func (v *view) has(name string) bool {
	for _, a := range v.key() {
		if a.Name == name {
			return true
		}
	}
	return false
}

// isGSI tells whether the view is a global secondary index.
func (v *view) isGSI() bool { return v.ix != nil && v.ix.Kind == table.GSI }

// A miss is a fault before its place in the file is worked out: At where it is
// known, else byte offsets into the key condition or the filter. Offsets of -1
// mean the key condition as a whole.
type miss struct {
	Kind       FaultKind
	Attr       string
	Message    string
	Start, End int
	InFilter   bool
	At         source.Span
}

func missing(kind FaultKind, attr, format string, args ...any) miss {
	return miss{Kind: kind, Attr: attr, Message: fmt.Sprintf(format, args...), Start: -1, End: -1}
}

func missAt(c *cond, kind FaultKind, format string, args ...any) miss {
	return miss{Kind: kind, Attr: c.Attr, Message: fmt.Sprintf(format, args...), Start: c.Start, End: c.End}
}

// about moves a miss to another attribute.
func (m miss) about(attr string) miss {
	m.Attr = attr
	return m
}

// fits matches conditions on key attributes with the key, as DynamoDB's
// validation does: every partition attribute by equality, sort attributes
// from the left without gaps, at most one range and that last.
func (v *view) fits(conds []cond) (out []miss) {
	for _, a := range v.Partition {
		switch c := find(conds, a.Name); {
		case c == nil:
			out = append(out, missing(PartitionMissing, a.Name,
				"%s needs its partition attribute %q by equality, and the key condition does not give it", v, a.Name))
		case c.isRange():
			out = append(out, missAt(c, PartitionMissing,
				"%s needs its partition attribute %q by equality, and the key condition gives it by %s", v, a.Name, c.Op))
		}
	}
	gap, last := "", (*cond)(nil)
	for _, a := range v.Sort {
		c := find(conds, a.Name)
		switch {
		case c == nil && gap == "":
			gap = a.Name
			continue
		case c == nil:
			continue
		case gap != "":
			out = append(out, missAt(c, SortGap,
				"%s takes sort attributes from the left without gaps, and the key condition gives %q without %q before it",
				v, a.Name, gap).about(gap))
		}
		if last != nil {
			out = append(out, missAt(last, RangeNotLast,
				"a range must be the last condition, and %q is compared by %s before %q in %s", last.Attr, last.Op, a.Name, v))
			last = nil
		}
		if c.isRange() {
			last = c
		}
	}
	return append(out, v.types(conds)...)
}

// types checks the conditions against the types of the key attributes.
func (v *view) types(conds []cond) (out []miss) {
	for _, a := range v.key() {
		c := find(conds, a.Name)
		if c == nil || a.Type != "N" {
			continue
		}
		if c.Op == opBeginsWith {
			out = append(out, missAt(c, TypeMismatch, "begins_with works on strings and binary, and %q of %s has type N", a.Name, v))
			continue
		}
		for _, o := range c.Operands {
			if o.Known && !o.Made.fitsNumber() {
				out = append(out, missAt(c, TypeMismatch, "%q of %s has type N, and %q is not a number", a.Name, v, o.Made))
			}
		}
	}
	return out
}

// whole checks that the conditions are exactly one primary key, as GetItem
// and the writes need it.
func (v *view) whole(conds []cond, op string) (out []miss) {
	for i, a := range v.key() {
		kind, part := PartitionMissing, "partition key"
		if i >= len(v.Partition) {
			kind, part = SortMissing, "sort key"
		}
		switch c := find(conds, a.Name); {
		case c == nil:
			out = append(out, missing(kind, a.Name, "%s needs the whole primary key of %s, and the %s %q is not given", op, v, part, a.Name))
		case c.isRange():
			out = append(out, missAt(c, kind, "%s needs the whole primary key of %s by equality, and the %s %q is given by %s", op, v, part, a.Name, c.Op))
		}
	}
	return append(out, v.types(conds)...)
}
