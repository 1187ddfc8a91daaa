package plan

import (
	"cmp"
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Pattern plans one access pattern on the table that it names; t is nil where
// no such table was read. A pattern without an index is tried on the table and
// then on each index.
func Pattern(t *table.Table, p *table.Pattern) Result {
	r := Result{Table: t, Pattern: p, State: Unserved}
	if t == nil {
		name, known := p.Table.Get()
		if !known {
			r.State, r.Needs = Unknown, []string{"the table" + because(p.Table.Why)}
			return r
		}
		r.Faults = []Fault{{NoSuchTable, "", fmt.Sprintf("no table %q was read", name), p.Table.At}}
		return r
	}
	q := newQuery(t, p)
	switch {
	case !p.Operation.Known():
	case q.op == table.Query:
		q.planQuery(&r)
	case q.op == table.Scan:
		q.planScan(&r)
	case table.Writes(q.op):
		q.planWrite(&r)
	case slices.Contains(table.Operations, q.op):
		q.planGet(&r)
	default:
		q.fail(missing(OperationMismatch, "", "there is no operation %q", q.op), p.Operation.At)
	}
	q.finish(&r)
	return r
}

// finish settles state, order of faults and what is derived from the access.
func (q *query) finish(r *Result) {
	r.Faults, r.Needs = q.faults, q.needs
	if r.Access == nil || len(r.Faults) > 0 || len(r.Needs) > 0 {
		r.Access = nil
	}
	switch {
	case len(r.Faults) > 0:
		r.State = Unserved
		r.Changes = q.changes(r.Faults)
	case r.Access == nil:
		r.State = Unknown
	default:
		r.State = Served
		r.Evaluated, r.Bytes = q.count(r.Access)
	}
}

// fail adds a fault at a place.
func (q *query) fail(m miss, at source.Span) {
	m.At = at
	q.faults = append(q.faults, q.fault(m))
}

// adopt takes over an outcome's faults and needs and returns its access.
func (q *query) adopt(o *outcome) *Access {
	for _, m := range o.misses {
		q.faults = append(q.faults, q.fault(m))
	}
	q.needs = append(q.needs, o.needs...)
	return o.access
}

// ways are the table and its indexes, the cheaper to read first among equals.
func (q *query) ways() []*view {
	out := []*view{newView(q.t, nil)}
	for _, ix := range q.t.Indexes() {
		out = append(out, newView(q.t, ix))
	}
	slices.SortStableFunc(out[1:], func(a, b *view) int {
		return cmp.Compare(breadth(a.ix), breadth(b.ix))
	})
	return out
}

// breadth orders projections by what an entry carries.
func breadth(ix *table.Index) int {
	switch p, _ := ix.Projection.Get(); p {
	case table.ProjectionKeysOnly:
		return 0
	case table.ProjectionInclude:
		return 1
	}
	return 2
}

func (q *query) planQuery(r *Result) {
	if !q.hasKey {
		if !q.p.Key.Unresolved() {
			q.fail(missing(NoKey, "", "a Query needs a key condition and the pattern declares none"), q.p.At)
		}
		q.viewOf()
		r.Others = q.byFilter(nil)
		return
	}
	if !q.parsed {
		q.viewOf()
		return
	}
	var chosen *outcome
	if name, _ := q.p.Index.Get(); name != "" || q.p.Index.Unresolved() {
		if v := q.viewOf(); v != nil {
			chosen = q.declared(v)
		}
	} else {
		chosen = q.choose()
	}
	if chosen != nil {
		r.Access = q.adopt(chosen)
	}
	r.Others = q.others(chosen)
}

// choose is the outcome on the table, else on the best index that serves, else
// the one that comes nearest.
func (q *query) choose() *outcome {
	var all []*outcome
	for _, v := range q.ways() {
		o := q.declared(v)
		if v.ix == nil && (o.ok() || onlyFilter(o)) {
			return o
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b *outcome) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), cmp.Compare(len(a.misses), len(b.misses)))
	})
	best := all[0]
	if !best.ok() && len(best.needs) == 0 {
		// What is not known may hold a way.
		best.needs = append(best.needs, unknownIndexes(q.t)...)
		for _, o := range all[1:] {
			if len(o.misses) == 0 {
				best.needs = append(best.needs, o.needs...)
			}
		}
		if len(best.needs) > 0 {
			best.misses = nil
		}
	}
	if len(best.misses) > 0 && len(all) > 1 {
		other := "no index serves it either"
		if best.v.ix != nil {
			other = fmt.Sprintf("neither table %q nor another index serves it", q.t.DisplayName())
		}
		best.misses[0].Message += "; " + other
	}
	return best
}

// onlyFilter tells whether the key condition serves and the filter is refused:
// the request is then wrong on the table that it reads.
func onlyFilter(o *outcome) bool {
	return len(o.needs) == 0 && !slices.ContainsFunc(o.misses, func(m miss) bool { return m.Kind != FilterOnKey })
}

// distance tells how far an outcome is from serving.
func distance(o *outcome) int {
	switch {
	case o.ok() && !o.access.Fetch:
		return 0
	case o.ok():
		return 1
	case len(o.misses) == 0:
		return 5 // not known
	case slices.ContainsFunc(o.misses, func(m miss) bool { return m.Kind == PartitionMissing }):
		return 4
	case slices.ContainsFunc(o.misses, func(m miss) bool { return m.Kind == NotKey || m.Kind == TemplateMismatch }):
		return 3
	}
	return 2
}

func (q *query) planScan(r *Result) {
	if q.hasKey {
		q.fail(missing(OperationMismatch, "", "a Scan takes no key condition: declare a Query, or a filter"), q.p.Key.At)
	}
	if q.p.Order.Written() {
		q.fail(missing(OrderMismatch, mustName(q.p.OrderBy), "a Scan returns items in no order"), q.p.Order.At)
	}
	v := q.viewOf()
	if v == nil {
		return
	}
	o := &outcome{v: v, access: &Access{Index: v.ix, Method: table.Scan, Queries: q.fanout, Exact: q.p.Filter.Absent()}}
	q.consistency(o)
	q.project(o)
	r.Access = q.adopt(o)
	r.Others = q.byFilter(nil)
}

func (q *query) planGet(r *Result) {
	if name, _ := q.p.Index.Get(); name != "" {
		q.fail(missing(GetOnIndex, "", "%s reads the table and cannot name an index (%q): declare a Query", q.op, name), q.p.Index.At)
	}
	if q.p.Filter.Known() {
		q.fail(missing(OperationMismatch, "", "%s takes no filter", q.op), q.p.Filter.At)
	}
	switch {
	case q.p.Key.Unresolved():
	case !q.hasKey:
		q.fail(missing(NoKey, "", "%s needs the whole primary key and the pattern declares no key", q.op), q.p.At)
	case q.parsed:
		o := q.item(table.GetItem)
		if r.Access = q.adopt(o); o.ok() {
			r.Others = q.others(o)
		} else {
			r.Others = q.others(nil)
		}
	}
}

// item judges the key as one primary key of the table.
func (q *query) item(method string) *outcome {
	v := newView(q.t, nil)
	o := &outcome{v: v, needs: v.needs}
	if len(v.needs) == 0 {
		o.conds, o.misses = q.condition(v, q.key, true)
		o.access = &Access{Method: method, Condition: q.print(v, o.conds), Exact: true, Queries: 1}
	}
	return o
}

func (q *query) planWrite(r *Result) {
	if name, _ := q.p.Index.Get(); name != "" {
		q.fail(missing(OperationMismatch, "", "%s writes to the table and cannot name an index (%q)", q.op, name), q.p.Index.At)
	}
	switch {
	case q.p.Key.Unresolved():
	case q.hasKey && q.parsed:
		r.Access = q.adopt(q.item(q.op))
	case q.hasKey:
	default:
		r.Access = q.supplied()
	}
}

// supplied is the access of a write that declares no key: the entity's key
// templates give it. PutItem, and batches and transactions, which may be made
// of puts, carry the key in the item.
func (q *query) supplied() *Access {
	v := newView(q.t, nil)
	q.needs = append(q.needs, v.needs...)
	a := &Access{Method: q.op, Exact: true, Queries: 1}
	var key []cond
	lacking := ""
	for _, attr := range v.key() {
		found := false
		for _, e := range q.ents {
			if t, ok := keyTemplate(e, attr.Name); ok && !found {
				found = true
				key = append(key, cond{Attr: attr.Name, Op: opEq, Operands: []operand{made(t)}, Start: -1, End: -1})
			}
		}
		if !found && lacking == "" {
			lacking = attr.Name
		}
	}
	if lacking == "" {
		if len(q.ents) == 1 {
			a.Condition = q.print(v, key)
		}
		return a
	}
	if q.op == table.UpdateItem || q.op == table.DeleteItem {
		m := missing(NoKey, lacking, "%s needs the whole primary key: the pattern declares no key, and no entity with a template for %q supplies it", q.op, lacking)
		q.fail(m, q.p.At)
	}
	return a
}
