package rules

import (
	"slices"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// indexUse is what the declared patterns use of an entity's entries in an index.
type indexUse struct {
	declared   bool     // patterns are declared at all
	read       bool     // one of them reads the entity from the index
	whole      bool     // one of them uses the whole item
	attributes []string // beyond the keys of table and index
	gaps       []string // what is not known of the use
}

// text tells how the entries are used.
func (u indexUse) text() string {
	switch {
	case !u.declared:
		return "and no access patterns are declared to need it"
	case !u.read:
		return "and no declared pattern reads it there"
	case len(u.attributes) == 0:
		return "though its patterns need keys only"
	}
	return "though its patterns need only " + quotedList(u.attributes) + " beside the keys"
}

func (p *Pass) indexUse(ix *table.Index, e *table.Entity) (u indexUse) {
	u.declared = len(p.Plans) > 0
	if !p.Table.Patterns.Complete() {
		u.gaps = append(u.gaps, "access patterns (unresolved: "+p.Table.Patterns.Incomplete+")")
	}
	for i := range p.Plans {
		r := &p.Plans[i]
		op, _ := r.Pattern.Operation.Get()
		if touched, _ := p.touches(r, e); table.Writes(op) || !touched || !readsFrom(r, ix) {
			continue
		}
		u.read = true
		u.whole = u.whole || r.Pattern.WholeItem
		attributes, known := p.needed(r, ix)
		if !known {
			u.gaps = append(u.gaps, "the attributes that "+quoted(patternName(r.Pattern))+" uses")
		}
		for _, a := range attributes {
			if !slices.Contains(u.attributes, a) {
				u.attributes = append(u.attributes, a)
			}
		}
	}
	return u
}

// readsFrom tells whether a pattern reads the index, by name or by its plan.
func readsFrom(r *plan.Result, ix *table.Index) bool {
	return declaredIndex(r) == ix || r.Access != nil && r.Access.Index == ix
}

// needed lists the attributes beyond the keys that a pattern uses of an index,
// its filter's included: what the planner misses when only keys are projected.
func (p *Pass) needed(r *plan.Result, ix *table.Index) (attributes []string, known bool) {
	t, keysOnly := withProjection(p.Table, ix, nil)
	res := plan.Pattern(t, r.Pattern)
	if res.Access != nil && res.Access.Index == keysOnly {
		return nil, true
	}
	for _, a := range res.Others {
		if a.Index == keysOnly && a.FetchBack {
			return a.Missing, !slices.Contains(a.Missing, "*")
		}
	}
	for _, a := range r.Pattern.Needs.Items {
		name, ok := a.Get()
		if !ok {
			return nil, false
		}
		if !t.Key.Has(name) && !ix.Key.Has(name) {
			attributes = append(attributes, name)
		}
	}
	return attributes, r.Pattern.Needs.Complete() && r.Pattern.Filter.Absent()
}

// withProjection is the table with an index that projects the attributes and no
// more (none: keys only), and that index. Neither shares it with the original.
func withProjection(t *table.Table, ix *table.Index, attributes []string) (*table.Table, *table.Index) {
	less := *ix
	less.Projection = source.Defaulted(table.ProjectionKeysOnly, ix.Projection.At)
	less.NonKey = source.List[source.Value[string]]{}
	for _, a := range attributes {
		less.Projection = source.Defaulted(table.ProjectionInclude, ix.Projection.At)
		less.NonKey.Items = append(less.NonKey.Items, source.Defaulted(a, ix.Projection.At))
	}
	out := *t
	out.GSIs.Items = slices.Clone(t.GSIs.Items)
	out.GSIs.Items[slices.Index(out.GSIs.Items, ix)] = &less
	return &out, &less
}

// narrowed is an index that projects only what its patterns use.
type narrowed struct {
	table   *table.Table
	text    string   // `KEYS_ONLY` or `INCLUDE of "score"`
	bytes   float64  // of an entry, at most
	sized   bool     // bytes is known
	unsized []string // attributes whose size is not
}

// usualKey is the bytes taken for the value of a key attribute of undeclared
// size: that of a UUID in text.
const usualKey = 36

// narrow builds the index that projects the attributes. Keys of undeclared size
// are taken as usual ones; other attributes must have a size.
func narrow(t *table.Table, ix *table.Index, e *table.Entity, attributes []string) narrowed {
	out, less := withProjection(t, ix, attributes)
	sized := *e
	sized.Attributes = slices.Clone(e.Attributes)
	for _, k := range slices.Concat(t.Key.Elements, ix.Key.Elements) {
		name, _ := k.Name.Get()
		if !sizeDeclared(&sized, name) {
			setSize(&sized, name, usualKey)
		}
	}
	n := narrowed{table: out, text: "KEYS_ONLY"}
	if len(attributes) > 0 {
		n.text = "INCLUDE of " + quotedList(attributes)
	}
	for _, a := range attributes {
		if !sizeDeclared(e, a) {
			n.unsized = append(n.unsized, a)
		}
	}
	out.Entities.Items = slices.Clone(t.Entities.Items)
	out.Entities.Items[slices.Index(out.Entities.Items, e)] = &sized
	bytes, known := table.EntrySize(out, less, &sized)
	n.bytes, n.sized = float64(bytes), len(n.unsized) == 0 && (known || bytes > 0)
	return n
}

// sizeDeclared tells whether an attribute's size is stated or bound by its type.
func sizeDeclared(e *table.Entity, name string) bool {
	a := e.Attribute(name)
	if a == nil {
		return false
	}
	switch t, _ := a.Type.Get(); t {
	case "BOOL", "NULL", "N":
		return true
	}
	_, ok := valueBytes(a)
	return ok
}

func setSize(e *table.Entity, name string, bytes int64) {
	for i := range e.Attributes {
		if e.Attributes[i].Name == name {
			e.Attributes[i].Size = source.Defaulted(bytes, e.At)
			return
		}
	}
	e.Attributes = append(e.Attributes, table.EntityAttribute{Name: name, At: e.At, Size: source.Defaulted(bytes, e.At)})
}

// projectionSaving is what the narrower index saves a month in writes and
// storage, and what is missing to know all of it. Unknown when no part is.
func (p *Pass) projectionSaving(ix *table.Index, e *table.Entity, size float64, n narrowed) (saved cost.Money, gaps []string) {
	units := 0.0
	writers := 0
	for i := range p.Plans {
		r := &p.Plans[i]
		op, _ := r.Pattern.Operation.Get()
		if touched, _ := p.touches(r, e); !table.Writes(op) || !touched {
			continue
		}
		writers++
		rate, rated := averageRate(r.Pattern)
		all, a := writeUnits(p.Table, ix, r, op)
		less, b := writeUnits(n.table, ix, r, op)
		switch {
		case !rated:
			gaps = append(gaps, "the rate of "+quoted(patternName(r.Pattern)))
		case !a || !b:
			gaps = append(gaps, "what one call of "+quoted(patternName(r.Pattern))+" writes")
		default:
			units += rate * (all - less)
		}
	}
	if writers == 0 {
		gaps = append(gaps, "a pattern that writes "+quoted(entityName(e)))
	}
	if units > 0 || len(gaps) == 0 {
		saved = p.monthlyUnits(units, true)
	}
	count, counted := e.Count.Get()
	if !counted {
		return saved, append(gaps, "count of "+quoted(entityName(e)))
	}
	storage := p.amount(cost.Storage, count*(size-n.bytes)/cost.GB)
	if !saved.Known() {
		return storage, gaps
	}
	if storage.Known() {
		saved = saved.Add(storage)
	}
	return saved, gaps
}
