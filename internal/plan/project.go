package plan

import (
	"fmt"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// wholeRest stands in Access.Missing for attributes that were not declared:
// the caller uses the whole item and the index does not carry it.
const wholeRest = "*"

// project checks that the view carries what the caller and the filter use. An
// LSI fetches the rest from its table; a GSI cannot.
func (q *query) project(o *outcome) {
	lacks, needs := q.lacks(o.v.ix)
	o.needs = append(o.needs, needs...)
	if len(lacks) == 0 {
		return
	}
	o.access.Missing = lacks
	if !o.v.isGSI() {
		o.access.Fetch = true
		return
	}
	o.access.FetchBack = true
	projection, _ := o.v.ix.Projection.Get()
	what, attr := quoted(lacks), lacks[0]
	if lacks[0] == wholeRest {
		what, attr = "the rest of the item, which the caller uses (no needs are declared)", ""
	}
	m := missing(NotProjected, attr, "%s projects %s and lacks %s; a global secondary index cannot fetch it from its table", o.v, projection, what)
	if m.At = q.p.Needs.At; !m.At.Known() {
		m.At = q.p.Index.At
	}
	o.misses = append(o.misses, m)
}

// lacks lists the attributes that the pattern uses and the index does not
// carry, and what would decide about others.
func (q *query) lacks(ix *table.Index) (lacks, needs []string) {
	if ix == nil || source.Is(ix.Projection, table.ProjectionAll) {
		return nil, nil
	}
	attrs, whole := q.uses()
	undecided := false
	for _, a := range attrs {
		switch in, known := ix.Projects(q.t, a); {
		case !known:
			undecided = true
		case !in:
			lacks = append(lacks, a)
		}
	}
	undecided = undecided || whole && !ix.Projection.Known()
	if undecided {
		needs = append(needs, fmt.Sprintf("the projection of index %q%s", ix.DisplayName(), because(ix.Projection.Why)))
	} else if whole {
		lacks = append(lacks, wholeRest)
	}
	if !q.p.Needs.Complete() {
		needs = append(needs, "the attributes that the caller uses"+because(q.p.Needs.Incomplete))
	}
	return lacks, needs
}

// uses lists the attributes that caller and filter use, each once. The second
// result tells that the caller uses whole items whose attributes nobody declared.
func (q *query) uses() (attrs []string, whole bool) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			attrs = append(attrs, name)
		}
	}
	for _, n := range q.p.Needs.Items {
		if name, ok := n.Get(); ok {
			// A need may be a path such as "address.city"; projection works on
			// top-level attributes.
			name, _, _ = strings.Cut(name, ".")
			name, _, _ = strings.Cut(name, "[")
			add(name)
		}
	}
	for _, m := range q.filtered {
		add(m.Attr)
	}
	if q.p.WholeItem {
		whole = len(q.ents) == 0
		for _, e := range q.ents {
			whole = whole || len(e.Attributes) == 0
			for _, a := range e.Attributes {
				add(a.Name)
			}
		}
	}
	return attrs, whole
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
}

// order checks that a Query on the view can return the order asked for.
func (q *query) order(o *outcome) {
	want, ok := q.p.Order.Get()
	if !ok {
		return
	}
	at := q.p.OrderBy.At
	if !at.Known() {
		at = q.p.Order.At
	}
	by, named := q.p.OrderBy.Get()
	if len(o.v.Sort) == 0 {
		if q.p.Order.Written() { // a default for all patterns asks nothing of this one
			m := missing(SortMissing, by, "%s has no sort key and cannot return items in the order %q", o.v, want)
			m.At = at
			o.misses = append(o.misses, m)
		}
		return
	}
	if !named || q.orders(o, by) {
		return
	}
	m := missing(OrderMismatch, by, "the order %q of %q is not the order of the sort key of %s (%s)", want, by, o.v, names(o.v.Sort))
	m.At = at
	o.misses = append(o.misses, m)
}

func names(attrs []keyAttr) string {
	out := make([]string, len(attrs))
	for i, a := range attrs {
		out[i] = a.Name
	}
	return strings.Join(out, ", ")
}

// orders tells whether items that meet the conditions come in the order of an
// attribute: every part of the sort key before it has one value.
func (q *query) orders(o *outcome, by string) bool {
	if c := find(q.key, by); c != nil && !c.isRange() {
		return true
	}
	for _, a := range o.v.Sort {
		c := find(o.conds, a.Name)
		if a.Name == by || q.leads(a.Name, by, c) {
			return true
		}
		if c == nil || c.isRange() {
			return false
		}
	}
	return false
}

// leads tells whether, for every entity of the pattern, the templated sort
// attribute goes by the attribute once the condition has fixed what precedes it.
func (q *query) leads(sort, by string, c *cond) bool {
	for _, e := range q.ents {
		t, ok := keyTemplate(e, sort)
		if !ok || !t.has(by) {
			return false
		}
		before := 0
		for _, name := range t.attributes() {
			if name == by {
				break
			}
			before++
		}
		switch {
		case before == 0:
		case c == nil || len(c.Operands) == 0:
			return false
		case c.Operands[0].Known && c.isRange() && settled(c.Operands[0].Made, t) < before:
			return false
		}
	}
	return len(q.ents) > 0
}
