package cost

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// write computes the units of a write operation on the table and its indexes.
func (c *consumer) write(op string) {
	n := 1.0
	if op == table.BatchWriteItem || op == table.TransactWriteItems {
		var ok bool
		if n, ok = c.items(); !ok {
			c.noWrite("returns (items a call)")
			return
		}
	}
	entities, ok := c.entities()
	if !ok {
		c.noWrite("the entity it writes")
		return
	}
	c.incomplete()
	for _, e := range entities {
		w := writer{consumer: c, op: op, entity: e, n: n / float64(len(entities))}
		w.base()
		for _, ix := range c.t.Indexes() {
			w.index(ix)
		}
	}
}

// noWrite records that no arm of the write is known, and what is needed.
func (c *consumer) noWrite(need string) {
	c.lack(gap{write: true}, "%s", need)
	c.gapWrites()
}

func (c *consumer) gapWrites() {
	for _, ix := range c.t.Indexes() {
		c.gap(gap{part(ix), true})
	}
}

func (c *consumer) incomplete() {
	for _, l := range []source.List[*table.Index]{c.t.GSIs, c.t.LSIs} {
		if !l.Complete() {
			c.lack(gap{"?", true}, "indexes of the table (%s)", l.Incomplete)
		}
	}
}

// writer adds the units of writing n items of one entity.
type writer struct {
	*consumer
	op     string
	entity *table.Entity
	n      float64
}

// updates tells whether the items are there before and after the write.
func (w writer) updates() bool {
	return w.op == table.UpdateItem || w.op == table.TransactWriteItems && len(w.changed()) > 0
}

// changed lists the attributes that the write is declared to change.
func (w writer) changed() []source.Value[string] {
	out := slices.Clone(w.p.Sets.Items)
	if w.p.Appends != nil {
		out = append(out, w.p.Appends.Attribute)
	}
	return out
}

// base adds the table's arm, the only one that a transaction doubles.
func (w writer) base() {
	size, ok := table.ItemBytes(w.entity)
	if !ok {
		w.lack(gap{write: true}, "item_size of %q", nameOf(w.entity))
		return
	}
	b := float64(size)
	units, how := WriteUnits(b, b), ""
	if table.Transactional(w.op) {
		units, how = TransactWriteUnits(b, b), "doubled in a transaction"
	}
	w.add(nil, units, roundedEach(w.n, b, WriteUnitBytes, how))
}

func (w writer) add(ix *table.Index, units float64, why string) {
	units *= w.n
	w.u.Parts = append(w.u.Parts, Part{Index: part(ix), Write: units, Why: fmt.Sprintf("%s: %s", why, unitsText(units))})
}

// index adds an index's arm.
func (w writer) index(ix *table.Index) {
	at := gap{part(ix), true}
	in, why := table.MembershipOf(w.t, ix, w.entity)
	if in == table.IsOut {
		return
	}
	change, need := w.change(ix)
	switch {
	case need != "":
		w.lack(at, "%s", need)
		return
	case change == EntryUntouched:
		w.add(ix, 0, fmt.Sprintf("index %q: nothing in its entry changes", ix.DisplayName()))
		return
	case in != table.IsIn:
		w.lack(at, "%s", why)
		return
	}
	s := table.EntrySpan(w.t, ix, w.entity)
	units, ok := s.Units(func(b float64) float64 { return IndexWriteUnits(b, b, change) })
	if !ok {
		w.lack(at, "size of entries of %q (%s)", ix.DisplayName(), list(s.Loose))
		return
	}
	w.add(ix, units, fmt.Sprintf("index %q: %s", ix.DisplayName(), entryText(w.n, s, change)))
}

// entryText is the arithmetic of an index write for people.
func entryText(n float64, s table.ByteSpan, change EntryChange) string {
	upTo := ""
	if s.Lo != s.Hi {
		upTo = "up to "
	}
	kb := steps(s.Hi, WriteUnitBytes)
	noun := "entry"
	if n != 1 {
		noun = "entries"
	}
	text := fmt.Sprintf("%s %s of %s%s B → %s KB", number(n), noun, upTo, number(s.Hi), number(kb))
	if n != 1 {
		text += " each"
	}
	switch change {
	case EntryMoved:
		return text + ", deleted and put as its key changes"
	case EntryChanged:
		return text + ", changed"
	case EntryRemoved:
		return text + ", removed"
	}
	return text + ", added"
}

// change is what the write does to the entity's entry in an index, or what
// would have to be known.
func (w writer) change(ix *table.Index) (change EntryChange, need string) {
	switch {
	case w.op == table.DeleteItem:
		return EntryRemoved, ""
	case !w.updates() && w.op != table.UpdateItem:
		return EntryAdded, ""
	case len(w.changed()) == 0:
		return 0, "sets (the attributes it changes)"
	case !w.p.Sets.Complete():
		return 0, fmt.Sprintf("sets (%s)", w.p.Sets.Incomplete)
	}
	change = EntryUntouched
	for _, v := range w.changed() {
		name, ok := v.Get()
		if !ok {
			return 0, "sets (an attribute is not known)"
		}
		if w.makesKey(ix, name) {
			change = EntryMoved
			continue
		}
		carried, known := ix.Projects(w.t, name)
		if !known {
			return 0, fmt.Sprintf("whether %q projects %q", ix.DisplayName(), name)
		}
		if carried && change == EntryUntouched {
			change = EntryChanged
		}
	}
	return change, ""
}

// makesKey tells whether the attribute is a key attribute of the index, or one
// from which the entity makes one by a template.
func (w writer) makesKey(ix *table.Index, attribute string) bool {
	for _, k := range ix.Key.Elements {
		name, _ := k.Name.Get()
		if name == attribute {
			return true
		}
		if text, ok := w.entity.KeyTemplate(name); ok && !w.t.Key.Has(name) {
			s, _ := text.Get()
			if _, places := table.TemplateParts(s); slices.Contains(places, attribute) {
				return true
			}
		}
	}
	return false
}
