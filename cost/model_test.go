package cost

import (
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Builders of small tables for the tests of usage and bill.

func val[T any](v T) source.Value[T] { return source.Written(v, source.Span{}) }

func vals(names ...string) (out []source.Value[string]) {
	for _, n := range names {
		out = append(out, val(n))
	}
	return out
}

// keyOf makes a key of attributes written "name" (a string) or "name:N"; the
// first is the partition key.
func keyOf(names ...string) (k table.Key) {
	for i, n := range names {
		typ := "S"
		if l := len(n); l > 2 && n[l-2] == ':' {
			n, typ = n[:l-2], n[l-1:]
		}
		role := table.Range
		if i == 0 {
			role = table.Hash
		}
		k.Elements = append(k.Elements, table.KeyElement{
			Attribute: table.Attribute{Name: val(n), Type: val(typ)}, Role: val(role),
		})
	}
	return k
}

// index makes an index; attributes after the projection are those it includes.
func index(kind table.IndexKind, name, projection string, key table.Key, include ...string) *table.Index {
	return &table.Index{
		Kind: kind, Name: val(name), Key: key, Projection: val(projection),
		NonKey: source.List[source.Value[string]]{Items: vals(include...)},
	}
}

func entity(name string, count float64, size int64, attributes ...table.EntityAttribute) *table.Entity {
	e := &table.Entity{Name: val(name), Count: val(count), Attributes: attributes}
	if size > 0 {
		e.Size = table.Size{P50: val(size), P99: val(size), Max: val(size)}
	}
	return e
}

// attr is an attribute with a value of the given bytes; under 0 undeclared.
func attr(name, typ string, size int64) table.EntityAttribute {
	a := table.EntityAttribute{Name: name, Type: val(typ)}
	if size >= 0 {
		a.Size = val(size)
	}
	return a
}

func onDemand(indexes []*table.Index, entities ...*table.Entity) *table.Table {
	t := &table.Table{Name: val("T"), Key: keyOf("id"), Billing: val(table.PayPerRequest)}
	for _, ix := range indexes {
		if ix.Kind == table.LSI {
			t.LSIs.Items = append(t.LSIs.Items, ix)
		} else {
			t.GSIs.Items = append(t.GSIs.Items, ix)
		}
	}
	t.Entities.Items = entities
	return t
}

func provisioned(rcu, wcu int64, indexes ...*table.Index) *table.Table {
	t := onDemand(indexes)
	t.Billing = val(table.Provisioned)
	t.Capacity = table.Throughput{Read: val(rcu), Write: val(wcu)}
	return t
}

// served is a pattern of an operation on an entity, planned as served.
func served(t *table.Table, op, entity string, rate float64, set ...func(*plan.Result)) plan.Result {
	p := &table.Pattern{Name: val(op), Operation: val(op), Entity: val(entity)}
	if rate >= 0 {
		p.Average = val(rate)
	}
	r := plan.Result{Table: t, Pattern: p, State: plan.Served, Access: &plan.Access{Method: op, Queries: 1}}
	for _, f := range set {
		f(&r)
	}
	return r
}

// reading sets what a read evaluates and the index it is served by.
func reading(ix *table.Index, items, bytes float64) func(*plan.Result) {
	return func(r *plan.Result) {
		r.Access.Index = ix
		r.Evaluated, r.Bytes = val(items), val(bytes)
		if ix != nil {
			r.Pattern.Index = ix.Name
		}
	}
}

func strong(r *plan.Result) { r.Pattern.Consistent = val(true) }

func returns(n float64) func(*plan.Result) {
	return func(r *plan.Result) { r.Pattern.Returns = val(n) }
}

func sets(names ...string) func(*plan.Result) {
	return func(r *plan.Result) { r.Pattern.Sets.Items = vals(names...) }
}
