package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// maxKeyPart is the most attributes on either side of a GSI's key.
const maxKeyPart = 4

// A wanted is the key that a pattern asks for: attributes given by equality in
// written order, then at most one that is ranged over or ordered by.
type wanted struct {
	equal  []string
	ranged string
}

// all are the wanted attributes in key order.
func (w wanted) all() []string {
	if w.ranged == "" {
		return w.equal
	}
	return append(slices.Clone(w.equal), w.ranged)
}

// changes proposes what would serve an unserved pattern, cheapest first. It
// proposes nothing where the request itself is wrong.
func (q *query) changes(faults []Fault) (out []Change) {
	for _, f := range faults {
		switch f.Kind {
		case BadExpression, NoSuchIndex, NoSuchTable, OperationMismatch, NoKey, TypeMismatch, TemplateMismatch, FilterOnKey, GetOnIndex:
			return nil
		}
	}
	w, ok := q.wanted()
	if !ok {
		return nil
	}
	if table.Writes(q.op) {
		return []Change{q.baseKey(w)}
	}
	if !q.strong { // a GSI is never read strongly
		out = append(out, q.overloads(w)...)
		out = append(out, q.sortOrders(w)...)
		out = append(out, q.newGSI(w))
	}
	if q.strong || q.op != table.Query {
		out = append(out, q.baseKey(w))
	}
	return out
}

// wanted reads the key that the conditions and the order ask for. A pattern
// that ranges over two attributes asks for no key that exists.
func (q *query) wanted() (w wanted, ok bool) {
	for _, c := range q.key {
		switch {
		case !c.isRange():
			w.equal = append(w.equal, c.Attr)
		case w.ranged != "":
			return w, false
		default:
			w.ranged = c.Attr
		}
	}
	if by, named := q.p.OrderBy.Get(); named && q.p.Order.Known() && !slices.Contains(w.equal, by) {
		if w.ranged != "" && w.ranged != by {
			return w, false
		}
		w.ranged = by
	}
	return w, len(w.all()) > 0 && len(w.all()) <= maxKeyPart+1
}

// overloads are new meanings for indexes whose key attributes are synthetic.
func (q *query) overloads(w wanted) (out []Change) {
	for _, ix := range q.t.GSIs.Items {
		v := newView(q.t, ix)
		if len(v.needs) > 0 || len(v.Partition) != 1 || !q.synthetic(v) || slices.ContainsFunc(w.all(), v.has) {
			continue
		}
		first, rest := w.all()[0], w.all()[1:]
		pk := strings.ToUpper(first) + "#{" + first + "}"
		if len(w.equal) == 0 { // nothing is given by equality: one query reads one period
			pk, rest = strings.ToUpper(first)+"#{period of "+first+"}", w.all()
		}
		text := fmt.Sprintf("give index %q a new meaning: %s = %q", ix.DisplayName(), v.Partition[0].Name, pk)
		if len(rest) > 0 {
			if len(v.Sort) == 0 {
				continue
			}
			if v.Sort[0].Type == "N" && len(rest) > 1 {
				continue // a number holds one attribute
			}
			text += fmt.Sprintf(", %s = %q", v.Sort[0].Name, "{"+strings.Join(rest, "}#{")+"}")
		}
		if e := q.only(); e != nil {
			name, _ := e.Name.Get()
			if taken, has := keyTemplate(e, v.Partition[0].Name); has {
				text += fmt.Sprintf(" on a second item for each %q, whose own %s is %q", name, v.Partition[0].Name, taken)
			} else {
				text += fmt.Sprintf(" on items of entity %q, which have none", name)
			}
		}
		out = append(out, Change{Kind: "overload", Text: text, Backfill: true, Index: ix})
	}
	return out
}

// only is the pattern's one entity, or nil.
func (q *query) only() *table.Entity {
	if len(q.ents) == 1 {
		return q.ents[0]
	}
	return nil
}

// synthetic tells whether an index is overloaded or made for it: entities make
// its partition attribute by templates, or its name is a generic one.
func (q *query) synthetic(v *view) bool {
	name := v.Partition[0].Name
	if v.Partition[0].Type != "S" && v.Partition[0].Type != "" {
		return false
	}
	for _, e := range q.t.Entities.Items {
		if t, ok := keyTemplate(e, name); ok && (len(t) != 1 || !t[0].Attr || t[0].Text != name) {
			return true
		}
	}
	return generic(name)
}

// generic tells whether a key attribute's name says nothing of its content:
// GSI1PK, gsi_2_pk, pk3.
func generic(name string) bool {
	s := strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, name))
	return slices.Contains([]string{"pk", "gsipk", "gsihash", "gsihashkey", "gsipartitionkey"}, s)
}

// sortOrders are other orders of the attributes that an index has already.
func (q *query) sortOrders(w wanted) (out []Change) {
	if len(w.equal) == 0 {
		return nil
	}
	for _, ix := range q.t.GSIs.Items {
		v := newView(q.t, ix)
		if len(v.needs) > 0 || len(v.key()) < 2 {
			continue
		}
		if slices.ContainsFunc(w.all(), func(a string) bool { return !v.has(a) }) {
			continue
		}
		first := w.equal[0]
		for _, a := range v.Partition { // keep the partition where the pattern allows it
			if slices.Contains(w.equal, a.Name) {
				first = a.Name
				break
			}
		}
		sort := []string{}
		add := func(name string) {
			if name != first && name != "" && !slices.Contains(sort, name) {
				sort = append(sort, name)
			}
		}
		for _, a := range v.key() { // equality in the index's own order
			if slices.Contains(w.equal, a.Name) {
				add(a.Name)
			}
		}
		add(w.ranged)
		for _, a := range v.key() {
			add(a.Name)
		}
		if len(sort) > maxKeyPart || len(v.Partition) == 1 && slices.Equal(append([]string{first}, sort...), strings.Split(names(v.key()), ", ")) {
			continue
		}
		index := q.index(first, sort)
		index.Projection, index.NonKey = ix.Projection, ix.NonKey
		out = append(out, Change{Kind: "sort-order", Index: index, Text: fmt.Sprintf(
			"add an index with the attributes of %q in another order: %s; the key of an existing index cannot be changed",
			ix.DisplayName(), keyText(first, sort))})
	}
	return out
}

// newGSI is an index on the natural attributes: the first equality is the
// partition key, the others and the range the sort key.
func (q *query) newGSI(w wanted) Change {
	if len(w.equal) == 0 {
		bucket := w.ranged + "Period"
		return Change{
			Kind: "new-gsi", Backfill: true, Index: q.index(bucket, []string{w.ranged}),
			Text: fmt.Sprintf("add a new index %s: nothing is given by equality, so items need a new attribute %q (a period of %q), and one query reads one period",
				keyText(bucket, []string{w.ranged}), bucket, w.ranged),
		}
	}
	first, sort := w.equal[0], w.all()[1:]
	c := Change{Kind: "new-gsi", Index: q.index(first, sort), Text: "add a new index " + keyText(first, sort)}
	var lacking, unsaid []string
	for _, a := range w.all() {
		if !q.natural(a) {
			lacking = append(lacking, a)
		} else if !q.stated(a) {
			unsaid = append(unsaid, a)
		}
	}
	switch {
	case len(lacking) > 0:
		c.Backfill = true
		c.Text += fmt.Sprintf("; items written before need %s, which no declared attribute holds", quoted(lacking))
	case len(unsaid) > 0:
		c.Text += fmt.Sprintf("; items that have %s already need no rewrite, and those that lack it stay out of the index", quoted(unsaid))
	default:
		c.Text += "; its attributes are on the items already, so the application rewrites nothing"
	}
	return c
}

// stated tells whether the design says that the items have the attribute: it
// is a key attribute or stands among the attributes of every entity concerned.
func (q *query) stated(attr string) bool {
	if q.t.Key.Has(attr) || slices.ContainsFunc(q.t.Indexes(), func(ix *table.Index) bool { return ix.Key.Has(attr) }) {
		return true
	}
	return len(q.ents) > 0 && !slices.ContainsFunc(q.ents, func(e *table.Entity) bool {
		return e.Attribute(attr) == nil && !e.Mentions(attr)
	})
}

// natural tells whether items have the attribute, as far as was declared: a
// design that lists no attributes leaves it to the pattern.
func (q *query) natural(attr string) bool {
	if q.t.Key.Has(attr) {
		return true
	}
	for _, ix := range q.t.Indexes() {
		if ix.Key.Has(attr) {
			return true
		}
	}
	for _, e := range q.ents {
		if e.Attribute(attr) != nil {
			return true
		}
		for _, k := range e.Key {
			// An attribute that stands inside a synthetic key only is not on
			// the item by itself.
			text, _ := k.Text.Get()
			if parseTemplate(text).has(attr) {
				return false
			}
		}
		if len(e.Attributes) > 0 && !e.Mentions(attr) {
			return false
		}
	}
	return true
}

// baseKey is the last resort: another table key.
func (q *query) baseKey(w wanted) Change {
	first, sort := w.ranged, []string(nil)
	if len(w.equal) > 0 {
		first, sort = w.equal[0], w.all()[1:]
	}
	key := first
	if len(sort) > 0 {
		key += " and " + strings.Join(sort, "#")
	}
	instead := ""
	if q.strong {
		instead = "read eventually through an index, or "
	}
	return Change{Kind: "base-key", Backfill: true, Text: instead + fmt.Sprintf(
		"key a table by %s: the key of a table cannot be changed, so a new table is made and every item is written again", key)}
}

// keyText is a key for people: companyId / [status, createdAt].
func keyText(partition string, sort []string) string {
	switch len(sort) {
	case 0:
		return partition
	case 1:
		return partition + " / " + sort[0]
	}
	return partition + " / [" + strings.Join(sort, ", ") + "]"
}

// index is a GSI as it would be, projecting what the pattern needs.
func (q *query) index(partition string, sort []string) *table.Index {
	at := q.p.At
	ix := &table.Index{At: at, Kind: table.GSI, Projection: source.Defaulted(table.ProjectionAll, at)}
	name := "by"
	for i, attr := range append([]string{partition}, sort...) {
		role := table.Range
		if i == 0 {
			role = table.Hash
		}
		ix.Key.Elements = append(ix.Key.Elements, table.KeyElement{
			Attribute: table.Attribute{Name: source.Defaulted(attr, at), Type: q.attrType(attr)},
			Role:      source.Defaulted(role, at),
		})
		first, size := utf8.DecodeRuneInString(attr)
		name += string(unicode.ToUpper(first)) + attr[size:]
	}
	ix.Name = source.Defaulted(name, at)
	attrs, _ := q.uses()
	attrs = slices.DeleteFunc(attrs, func(a string) bool { return ix.Key.Has(a) || q.t.Key.Has(a) })
	switch {
	case q.p.WholeItem || !q.p.Needs.Complete() || len(q.p.Needs.Items) == 0:
	case len(attrs) == 0:
		ix.Projection = source.Defaulted(table.ProjectionKeysOnly, at)
	default:
		ix.Projection = source.Defaulted(table.ProjectionInclude, at)
		for _, a := range attrs {
			ix.NonKey.Items = append(ix.NonKey.Items, source.Defaulted(a, at))
		}
	}
	return ix
}

// attrType is the type of an attribute as declared anywhere; absent if nowhere.
func (q *query) attrType(name string) source.Value[string] {
	for _, e := range append(slices.Clone(q.ents), q.t.Entities.Items...) {
		if a := e.Attribute(name); a != nil && a.Type.Known() {
			return a.Type
		}
	}
	keys := []table.Key{q.t.Key}
	for _, ix := range q.t.Indexes() {
		keys = append(keys, ix.Key)
	}
	for _, k := range keys {
		for _, e := range k.Elements {
			if source.Is(e.Name, name) && e.Type.Known() {
				return e.Type
			}
		}
	}
	return source.Absent[string](q.p.At)
}
