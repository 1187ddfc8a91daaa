package plan

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// count is the number of items that one call reads and their size in bytes as
// the view holds them; absent where a number was not declared.
func (q *query) count(a *Access) (items, bytes source.Value[float64]) {
	if a.Method == table.Scan {
		return q.scanned(a)
	}
	items = q.itemsRead(a)
	n, ok := items.Get()
	size, sized := q.together(a.Index, n)
	if !ok || !sized {
		return items, source.Absent[float64](q.p.At)
	}
	return items, source.Defaulted(size, items.At)
}

// itemsRead counts the items of one call of anything but a Scan.
func (q *query) itemsRead(a *Access) source.Value[float64] {
	returns := q.p.Returns
	switch q.op {
	case table.GetItem, table.PutItem, table.UpdateItem, table.DeleteItem:
		return source.Defaulted(1.0, q.p.At)
	case table.Query:
	default:
		return returns
	}
	keeps, kept := q.p.Keeps.Get()
	switch n, ok := returns.Get(); {
	case ok && kept && keeps > 0:
		return source.Defaulted(n/keeps, returns.At)
	case ok && q.p.Filter.Absent() && q.p.Keeps.Absent():
		return returns
	}
	if !returns.Absent() && q.p.Filter.Absent() {
		return source.Absent[float64](q.p.At)
	}
	return q.collection(a)
}

// together is the bytes of n items of the pattern in a view. An entity with a
// fixed sort key is one item of its collection, and where one entity remains
// the rest are of that.
func (q *query) together(ix *table.Index, n float64) (float64, bool) {
	var sum, singles float64
	var many []*table.Entity
	for _, e := range q.ents {
		size, ok := table.EntrySize(q.t, ix, e)
		switch {
		case !ok:
			return 0, false
		case q.op == table.Query && len(q.ents) > 1 && fixedSort(newView(q.t, ix), e):
			sum, singles = sum+float64(size), singles+1
		default:
			many = append(many, e)
		}
	}
	if singles > 0 && len(many) == 1 && n >= singles {
		size, _ := table.EntrySize(q.t, ix, many[0])
		return sum + (n-singles)*float64(size), true
	}
	each, ok := q.entry(ix)
	return n * each, ok
}

// fixedSort tells whether the entity has one value for the whole sort key.
func fixedSort(v *view, e *table.Entity) bool {
	for _, a := range v.Sort {
		if t, ok := keyTemplate(e, a.Name); !ok || len(t.attributes()) > 0 {
			return false
		}
	}
	return len(v.Sort) > 0
}

// entry is the bytes of one item of the pattern in a view. Of several
// entities it is the mean by their counts, known only where all are.
func (q *query) entry(ix *table.Index) (float64, bool) {
	var sum, weight, first float64
	counted, same := true, true
	for i, e := range q.ents {
		n, ok := table.EntrySize(q.t, ix, e)
		if !ok {
			return 0, false
		}
		if i == 0 {
			first = float64(n)
		}
		same = same && float64(n) == first
		c, ok := e.Count.Get()
		counted = counted && ok
		sum, weight = sum+float64(n)*c, weight+c
	}
	switch {
	case len(q.ents) == 0:
		return 0, false
	case same:
		return first, true
	case counted && weight > 0:
		return sum / weight, true
	}
	return 0, false
}

// scanned is what a whole Scan reads: the measured count and size of the table
// or index, else those of its entities together.
func (q *query) scanned(a *Access) (items, bytes source.Value[float64]) {
	count, size := q.t.ItemCount, q.t.SizeBytes
	if a.Index != nil {
		count, size = a.Index.ItemCount, a.Index.SizeBytes
	}
	float := func(n int64) float64 { return float64(n) }
	items, bytes = source.Map(count, float), source.Map(size, float)
	if items.Known() && bytes.Known() || !q.t.Entities.Complete() || len(q.t.Entities.Items) == 0 {
		return items, bytes
	}
	var n, b float64
	counted, sized := true, true
	for _, e := range q.t.Entities.Items {
		in, known := table.Enters(q.t, a.Index, e)
		if known && !in {
			continue
		}
		c, ok := e.Count.Get()
		each, okSize := table.EntrySize(q.t, a.Index, e)
		counted = counted && known && ok
		sized = sized && okSize
		n, b = n+c, b+c*float64(each)
	}
	if counted && !items.Known() {
		items = source.Defaulted(n, q.t.Entities.At)
	}
	if counted && sized && !bytes.Known() {
		bytes = source.Defaulted(b, q.t.Entities.At)
	}
	return items, bytes
}

// collection estimates the items under one key condition: the entity's count
// over the distinct values of what the condition fixes, taken as uniform and
// independent. It is absent where a condition narrows by an unknown amount.
func (q *query) collection(a *Access) source.Value[float64] {
	absent := source.Absent[float64](q.p.At)
	v := newView(q.t, a.Index)
	if len(v.needs) > 0 || len(q.ents) == 0 {
		return absent
	}
	conds, misses := q.condition(v, q.key, false)
	if len(misses) > 0 {
		return absent
	}
	if v.ix == nil && len(q.ents) == 1 && len(v.whole(conds, q.op)) == 0 {
		return source.Defaulted(1.0, q.p.At)
	}
	var sum float64
	for _, e := range q.ents {
		n, ok := e.Count.Get()
		if !ok {
			return absent
		}
		for _, key := range v.key() {
			values, known := fixes(e, key.Name, find(conds, key.Name))
			if !known {
				return absent
			}
			n /= values
		}
		sum += n
	}
	return source.Defaulted(sum, q.p.At)
}

// fixes is the factor by which a condition narrows an entity's items, and
// whether it is known.
func fixes(e *table.Entity, attr string, c *cond) (float64, bool) {
	if c == nil {
		return 1, true
	}
	t, templated := keyTemplate(e, attr)
	if c.isRange() {
		// A prefix that only tells the kind of item narrows nothing.
		lead := c.Op == opBeginsWith && templated && c.Operands[0].Known &&
			len(c.Operands[0].Made.attributes()) == 0 && len(c.Operands[0].Made.String()) <= len(t.lead())
		return 1, lead
	}
	if n, ok := table.StatOf(e.Distinct, attr).Get(); ok && n > 0 {
		return n, true
	}
	if !templated {
		return 1, false
	}
	product := 1.0
	for _, place := range t.attributes() {
		n, ok := table.StatOf(e.Distinct, place).Get()
		if !ok || n <= 0 {
			return 1, false
		}
		product *= n
	}
	return product, true
}
