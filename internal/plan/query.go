package plan

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// A query is a pattern as it was understood, before any table is looked at.
type query struct {
	t        *table.Table
	p        *table.Pattern
	op       string
	key      []cond
	hasKey   bool // a key condition was declared
	parsed   bool // and could be read
	filter   *expr
	filtered []mention // top-level attributes that the filter names
	usable   []cond    // conditions of the filter that a key condition could hold
	rest     bool      // the filter holds others
	ents     []*table.Entity
	strong   bool
	fanout   float64
	faults   []Fault
	needs    []string
	scope    *scope
}

func newQuery(t *table.Table, p *table.Pattern) *query {
	q := &query{t: t, p: p, fanout: 1}
	q.op, _ = p.Operation.Get()
	q.strong, _ = p.Consistent.Get()
	if n, ok := p.Fanout.Get(); ok {
		q.fanout = max(1, float64(n))
	}
	q.entities()
	q.expressions()
	need := func(unresolved bool, what, why string) {
		if unresolved {
			q.needs = append(q.needs, what+because(why))
		}
	}
	need(!p.Operation.Known(), "the operation", p.Operation.Why)
	need(p.Index.Unresolved(), "the index", p.Index.Why)
	need(p.Key.Unresolved(), "the key condition", p.Key.Why)
	need(p.Filter.Unresolved(), "the filter", p.Filter.Why)
	need(p.Fanout.Unresolved(), "the fan-out", p.Fanout.Why)
	return q
}

// entities are the declared ones, else the table's only one.
func (q *query) entities() {
	names := q.p.Entities.Items
	if len(names) == 0 {
		names = []source.Value[string]{q.p.Entity}
	}
	for _, n := range names {
		if name, ok := n.Get(); ok {
			if e := q.t.EntityNamed(name); e != nil {
				q.ents = append(q.ents, e)
			}
		}
	}
	if all := q.t.Entities; len(q.ents) == 0 && !q.declares() && len(all.Items) == 1 && all.Complete() {
		q.ents = all.Items
	}
}

// declares tells whether the pattern names its entities.
func (q *query) declares() bool {
	return len(q.p.Entities.Items) > 0 || !q.p.Entity.Absent()
}

// expressions parses key condition and filter and refuses what DynamoDB does.
func (q *query) expressions() {
	s := &scope{names: map[string]source.Value[string]{}, values: map[string]source.Value[string]{}, used: map[string]bool{}}
	for _, n := range q.p.Names {
		s.names[n.Alias] = n.Name
	}
	for _, v := range q.p.Values {
		s.values[v.Alias] = v.Text
	}
	q.scope = s
	refused := false
	if q.p.Key.Known() {
		q.hasKey = true
		// Only Query takes an expression here; the other operations take a key
		// as a map, in which any name may stand.
		root := q.read("key condition", q.p.Key, q.op == table.Query)
		refused = root == nil
		if root != nil {
			conds, bad := s.keyConditions(root)
			q.refuse("key condition", q.p.Key, bad...)
			q.key, q.parsed = conds, len(bad) == 0 && len(s.needs) == 0
		}
	}
	if q.p.Filter.Known() {
		q.filter = q.read("filter", q.p.Filter, true)
		refused = refused || q.filter == nil
		q.filterParts()
	}
	if !refused {
		q.unused()
	}
	q.needs = append(q.needs, s.needs...)
}

// read parses and checks one expression; nil when it was refused.
func (q *query) read(what string, v source.Value[string], reserved bool) *expr {
	text, _ := v.Get()
	root, bad := parse(text)
	if bad != nil {
		q.refuse(what, v, bad)
		return nil
	}
	if refusals := q.scope.check(root, reserved); len(refusals) > 0 {
		q.refuse(what, v, refusals...)
		// A reserved word is refused, and what it means is clear all the same.
		if len(q.scope.check(root, false)) > 0 {
			return nil
		}
	}
	return root
}

func (q *query) refuse(what string, v source.Value[string], bad ...*refusal) {
	for _, r := range bad {
		q.faults = append(q.faults, Fault{
			Kind: BadExpression, Message: "invalid " + what + ": " + r.Message, At: within(v, r.Start, r.End),
		})
	}
}

func (q *query) filterParts() {
	q.filtered = q.scope.mentions(q.filter)
	for _, e := range q.filter.conjuncts() {
		if c, ok := q.scope.simple(e); ok && find(q.usable, c.Attr) == nil {
			q.usable = append(q.usable, c)
		} else {
			q.rest = true
		}
	}
}

// unused refuses placeholders that no expression uses. The update and
// projection expressions are not declared, so a name that may stand in one of
// them is left alone, as are all placeholders of writes.
func (q *query) unused() {
	if table.Writes(q.op) {
		return
	}
	projected := func(name source.Value[string]) bool {
		return !name.Known() || slices.ContainsFunc(q.p.Needs.Items, func(v source.Value[string]) bool {
			return source.Is(v, nameOf(name))
		})
	}
	for _, n := range q.p.Names {
		if !q.scope.used[n.Alias] && !projected(n.Name) {
			q.faults = append(q.faults, Fault{BadExpression, nameOf(n.Name), fmt.Sprintf("the name %q is defined in names and no expression uses it", n.Alias), n.Name.At})
		}
	}
	if q.op != table.Query && q.op != table.Scan {
		return
	}
	for _, v := range q.p.Values {
		if !q.scope.used[v.Alias] {
			q.faults = append(q.faults, Fault{BadExpression, "", fmt.Sprintf("the value %q is defined in values and no expression uses it", v.Alias), v.Text.At})
		}
	}
}

// fault gives a miss its place in the file.
func (q *query) fault(m miss) Fault {
	at := m.At
	switch {
	case at.Known():
	case m.InFilter:
		at = within(q.p.Filter, m.Start, m.End)
	case m.Start >= 0:
		at = within(q.p.Key, m.Start, m.End)
	case q.p.Key.At.Known():
		at = q.p.Key.At
	default:
		at = q.p.At
	}
	return Fault{m.Kind, m.Attr, m.Message, at}
}
