package plan

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// An outcome is how a pattern does on one view: an access, or why not.
type outcome struct {
	v      *view
	access *Access
	conds  []cond
	misses []miss
	needs  []string
}

func (o *outcome) ok() bool { return len(o.misses) == 0 && len(o.needs) == 0 }

// onlyLacks tells whether the projection alone stands against the view.
func (o *outcome) onlyLacks() bool {
	return len(o.misses) == 1 && o.misses[0].Kind == NotProjected && len(o.needs) == 0
}

// query judges the conditions as a Query on a view.
func (q *query) query(v *view, conds []cond) *outcome {
	o := &outcome{v: v, needs: v.needs}
	if len(v.needs) > 0 {
		return o
	}
	o.conds, o.misses = q.condition(v, conds, false)
	q.consistency(o)
	o.access = &Access{Index: v.ix, Method: table.Query, Queries: q.fanout, Condition: q.print(v, o.conds)}
	q.project(o)
	return o
}

// consistency refuses strong reads of a GSI.
func (q *query) consistency(o *outcome) {
	if !o.v.isGSI() {
		return
	}
	if c := q.p.Consistent; c.Unresolved() {
		o.needs = append(o.needs, "the consistency"+because(c.Why))
	}
	if q.strong {
		m := missing(StrongOnGSI, "", "%s is a global secondary index and cannot be read strongly", o.v)
		m.At = q.p.Consistent.At
		o.misses = append(o.misses, m)
	}
}

// declared judges the pattern as written on a view: with filter and order.
func (q *query) declared(v *view) *outcome {
	o := q.query(v, q.key)
	if len(v.needs) > 0 {
		return o
	}
	for _, m := range q.filtered {
		if v.has(m.Attr) {
			o.misses = append(o.misses, miss{
				Kind: FilterOnKey, Attr: m.Attr, Start: m.Start, End: m.End, InFilter: true,
				Message: fmt.Sprintf("the filter names %q, a key attribute of %s, and a filter may name none: put it into the key condition", m.Attr, v),
			})
		}
	}
	q.order(o)
	o.access.Exact = q.p.Filter.Absent()
	return o
}

// condition resolves conditions on a view for the pattern's entities.
func (q *query) condition(v *view, conds []cond, whole bool) ([]cond, []miss) {
	if len(q.ents) > 0 {
		return q.forAll(v, conds, whole)
	}
	plain, misses := q.forOne(v, nil, conds, whole)
	if q.declares() || len(q.t.Entities.Items) == 0 {
		return plain, misses
	}
	// No entity is named: the conditions must make sense for one of them.
	var first []miss
	for _, e := range q.t.Entities.Items {
		key, bad := q.forOne(v, e, conds, whole)
		if len(bad) == 0 {
			return key, nil
		}
		if first == nil {
			first = bad
		}
	}
	if len(misses) > 0 || !q.t.Entities.Complete() {
		return plain, misses
	}
	return plain, first
}

// forAll needs one condition that serves every entity of the pattern.
func (q *query) forAll(v *view, conds []cond, whole bool) (merged []cond, misses []miss) {
	for i, e := range q.ents {
		key, bad := q.forOne(v, e, conds, whole)
		for _, m := range bad {
			if !slices.ContainsFunc(misses, func(n miss) bool { return n.Kind == m.Kind && n.Attr == m.Attr }) {
				misses = append(misses, m)
			}
		}
		if i == 0 {
			merged = key
			continue
		}
		var clash []miss
		merged, clash = merge(v, merged, key)
		misses = append(misses, clash...)
	}
	return merged, misses
}

// merge keeps what two entities' conditions have in common. Conditions that
// only tell the kinds of item apart are dropped; others must agree.
func merge(v *view, a, b []cond) (out []cond, misses []miss) {
	for _, x := range v.key() {
		ca, cb := find(a, x.Name), find(b, x.Name)
		switch {
		case ca != nil && cb != nil && show(ca) == show(cb):
			out = append(out, *ca)
		case kindOnly(ca) && kindOnly(cb):
		default:
			misses = append(misses, missing(TemplateMismatch, x.Name,
				"the entities make %q of %s in different ways, and one key condition cannot read them together", x.Name, v))
		}
	}
	return out, misses
}

// kindOnly tells whether a condition is absent or composed of literals alone.
func kindOnly(c *cond) bool {
	return c == nil || c.Start < 0 && len(c.Operands) == 1 && len(c.Operands[0].Made.attributes()) == 0
}

// forOne resolves the conditions for one entity, or none, and checks them.
func (q *query) forOne(v *view, e *table.Entity, conds []cond, whole bool) ([]cond, []miss) {
	r := resolve(v, e, conds, q.fanout > 1, whole)
	var misses []miss
	if whole {
		misses = v.whole(r.Key, q.op)
	} else {
		misses = v.fits(r.Key)
	}
	for i, m := range misses {
		if hint := r.hint[m.Attr]; hint != "" && m.Start < 0 {
			misses[i].Message += ": " + hint
		}
	}
	misses = append(misses, r.gaps...)
	for i := range r.Left {
		misses = append(misses, leftover(v, &r.Left[i]))
	}
	if e == nil {
		return r.Key, misses
	}
	return r.Key, append(misses, q.templates(v, e, conds)...)
}

func leftover(v *view, c *cond) miss {
	if len(v.Sort) == 0 && c.isRange() {
		return missAt(c, SortMissing, "%s has no sort key, and the key condition gives %q by %s", v, c.Attr, c.Op)
	}
	return missAt(c, NotKey, "%q is not a key attribute of %s", c.Attr, v)
}

// templates checks the written conditions against the entity's key formats.
func (q *query) templates(v *view, e *table.Entity, conds []cond) (misses []miss) {
	if in, known := table.Enters(q.t, v.ix, e); known && !in {
		name, _ := e.Name.Get()
		attr := ""
		for _, a := range v.key() {
			if _, has := e.KeyTemplate(a.Name); !has && !q.t.Key.Has(a.Name) && e.Attribute(a.Name) == nil {
				attr = a.Name
				break
			}
		}
		return []miss{missing(TemplateMismatch, attr, "no item of entity %q is in %s: the entity has no %q", name, v, attr)}
	}
	for i := range conds {
		if !v.has(conds[i].Attr) {
			continue
		}
		if why := mismatch(v, e, &conds[i]); why != "" {
			m := missAt(&conds[i], TemplateMismatch, "")
			m.Message = why
			misses = append(misses, m)
		}
	}
	return misses
}

// print shows the conditions in key order with names and templates filled in.
func (q *query) print(v *view, conds []cond) string {
	var parts []string
	for _, a := range v.key() {
		c := find(conds, a.Name)
		if c == nil {
			continue
		}
		filled := *c
		if len(q.ents) > 0 && c.Op == opEq && !c.Operands[0].Known {
			if t, ok := keyTemplate(q.ents[0], a.Name); ok && t.String() != "{"+a.Name+"}" && q.agree(a.Name, t) {
				filled.Operands = []operand{made(t)}
			}
		}
		parts = append(parts, show(&filled))
	}
	return strings.Join(parts, " AND ")
}

// agree tells whether all entities of the pattern make the attribute alike.
func (q *query) agree(attr string, t template) bool {
	for _, e := range q.ents {
		if u, ok := keyTemplate(e, attr); !ok || u.String() != t.String() {
			return false
		}
	}
	return true
}

// show is one condition in the language, for people.
func show(c *cond) string {
	var ops []string
	for _, o := range c.Operands {
		if o.Known {
			ops = append(ops, `"`+o.Made.String()+`"`)
		} else {
			ops = append(ops, o.Written)
		}
	}
	switch c.Op {
	case opBeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", c.Attr, ops[0])
	case opBetween:
		return fmt.Sprintf("%s BETWEEN %s AND %s", c.Attr, ops[0], ops[1])
	}
	return c.Attr + " " + c.Op + " " + ops[0]
}

// viewOf finds the declared view; nil with a fault or a need when there is none.
func (q *query) viewOf() *view {
	name, ok := q.p.Index.Get()
	if !ok || name == "" {
		if q.p.Index.Unresolved() {
			return nil
		}
		return newView(q.t, nil)
	}
	if ix := q.t.IndexNamed(name); ix != nil {
		return newView(q.t, ix)
	}
	if gap := unknownIndexes(q.t); len(gap) > 0 {
		q.needs = append(q.needs, gap...)
		return nil
	}
	q.faults = append(q.faults, Fault{NoSuchIndex, "", fmt.Sprintf("table %q has no index %q", q.t.DisplayName(), name), q.p.Index.At})
	return nil
}

// unknownIndexes says which indexes of a table may exist beside the known ones.
func unknownIndexes(t *table.Table) (needs []string) {
	lists := []struct {
		what string
		list source.List[*table.Index]
	}{{"the global secondary indexes", t.GSIs}, {"the local secondary indexes", t.LSIs}}
	for _, l := range lists {
		if !l.list.Complete() {
			needs = append(needs, fmt.Sprintf("%s of table %q%s", l.what, t.DisplayName(), because(l.list.Incomplete)))
		}
		for _, ix := range l.list.Items {
			if !ix.Name.Known() {
				needs = append(needs, fmt.Sprintf("the name of an index of table %q%s", t.DisplayName(), because(ix.Name.Why)))
			}
		}
	}
	return needs
}
