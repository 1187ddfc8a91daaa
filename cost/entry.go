package cost

import (
	"math"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Limits that bound a value whose size nobody declared, in bytes. Source:
// developer guide, "Constraints in DynamoDB"; numbers have up to 38 digits.
const (
	maxPartitionValue = 2048
	maxSortValue      = 1024
	maxNumber         = 22
)

// ItemBytes is the size of an entity's typical item in bytes: its declared
// median. The mean, which money follows, is taken to be the median; an entity
// with a long tail costs more than that.
func ItemBytes(e *table.Entity) (bytes int64, known bool) {
	if e == nil {
		return 0, false
	}
	n, ok := e.Size.P50.Get()
	return n, ok && n >= 0
}

// EntrySize is the size in bytes of a typical entry of an entity in an index:
// the whole item for ALL, else the table's and the index's key attributes and
// the projected ones. It is known when every one of them has a declared size,
// is a template whose parts have, or is bounded by its type (a number counts
// its most). When it is not known, bytes is the largest the entry can be, or 0
// where nothing bounds it.
func EntrySize(t *table.Table, ix *table.Index, e *table.Entity) (bytes int64, known bool) {
	s := entrySpan(t, ix, e)
	if math.IsInf(s.hi, 1) {
		return 0, false
	}
	return int64(s.hi), s.exact()
}

// span is a size in bytes that lies between lo and hi, which is infinite where
// nothing bounds it. loose names the attributes that keep it from being known.
type span struct {
	lo, hi float64
	loose  []string
}

func (s span) exact() bool { return len(s.loose) == 0 || s.lo == s.hi }

func (s span) add(o span) span {
	return span{s.lo + o.lo, s.hi + o.hi, append(s.loose, o.loose...)}
}

// units is f of the size when all sizes of the span agree on it, or when the
// size is known.
func (s span) units(f func(bytes float64) float64) (units float64, known bool) {
	if s.exact() && !math.IsInf(s.hi, 1) {
		return f(s.hi), true
	}
	if math.IsInf(s.hi, 1) || f(s.lo) != f(s.hi) {
		return 0, false
	}
	return f(s.hi), true
}

func itemSpan(e *table.Entity) span {
	if n, ok := ItemBytes(e); ok {
		return span{lo: float64(n), hi: float64(n)}
	}
	return span{hi: math.Inf(1), loose: []string{"item_size"}}
}

// entrySpan is the size of an entity's entry in an index, or of its item in
// the table where ix is nil. An entry is never larger than its item.
func entrySpan(t *table.Table, ix *table.Index, e *table.Entity) span {
	item := itemSpan(e)
	projection := table.ProjectionAll
	if ix != nil {
		var ok bool
		if projection, ok = ix.Projection.Get(); !ok {
			return span{hi: item.hi, loose: []string{"projection of " + ix.DisplayName()}}
		}
	}
	if projection == table.ProjectionAll || e == nil {
		return item
	}
	var entry span
	for _, name := range keyNames(t, ix) {
		entry = entry.add(attributeSpan(t, ix, e, name, true))
	}
	if projection == table.ProjectionInclude {
		entry = entry.add(includedSpan(t, ix, e))
	}
	if !ix.Key.Complete() || !t.Key.Complete() {
		entry = entry.add(span{hi: math.Inf(1), loose: []string{"keys of " + ix.DisplayName()}})
	}
	entry.hi = min(entry.hi, item.hi)
	entry.lo = min(entry.lo, entry.hi)
	return entry
}

// includedSpan is the size of the attributes listed in an INCLUDE projection.
func includedSpan(t *table.Table, ix *table.Index, e *table.Entity) (out span) {
	keys := keyNames(t, ix)
	for _, a := range ix.NonKey.Items {
		name, ok := a.Get()
		switch {
		case !ok:
			out = out.add(span{hi: math.Inf(1), loose: []string{"an attribute of " + ix.DisplayName()}})
		case !slices.Contains(keys, name):
			out = out.add(attributeSpan(t, ix, e, name, false))
		}
	}
	if !ix.NonKey.Complete() {
		out = out.add(span{hi: math.Inf(1), loose: []string{"attributes of " + ix.DisplayName()}})
	}
	return out
}

// keyNames lists the key attributes that every entry carries, each once.
func keyNames(t *table.Table, ix *table.Index) (names []string) {
	for _, e := range slices.Concat(t.Key.Elements, ix.Key.Elements) {
		if n, ok := e.Name.Get(); ok && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// attributeSpan is the size of one attribute with its name.
func attributeSpan(t *table.Table, ix *table.Index, e *table.Entity, name string, key bool) span {
	v := valueSpan(t, ix, e, name, key)
	v.lo += float64(len(name))
	v.hi += float64(len(name))
	if a := e.Attribute(name); !key && (a == nil || !a.Optional.Absent() && !source.Is(a.Optional, false)) {
		v.lo = 0 // the item may lack it
	}
	return v
}

func valueSpan(t *table.Table, ix *table.Index, e *table.Entity, name string, key bool) span {
	a := e.Attribute(name)
	if a != nil {
		if n, ok := a.Size.Get(); ok {
			return span{lo: float64(n), hi: float64(n)}
		}
	}
	limit := math.Inf(1)
	if key {
		limit = keyLimit(t, ix, name)
	}
	if text, ok := e.KeyTemplate(name); ok && !source.Is(text, "{"+name+"}") {
		if s, ok := templateSpan(e, text); ok {
			s.hi = max(min(s.hi, limit), s.lo)
			if len(s.loose) > 0 {
				s.loose = []string{name}
			}
			return s
		}
	}
	switch typeOf(t, ix, a, name) {
	case "BOOL", "NULL":
		return span{lo: 1, hi: 1}
	case "N":
		return span{lo: 1, hi: maxNumber}
	}
	if a != nil {
		element, sized := a.Element.Get()
		if n, counted := a.Elements.Get(); sized && counted {
			return span{lo: 1, hi: float64(3 + n*(element+1)), loose: []string{name}}
		}
	}
	lo := 0.0
	if key {
		lo = 1 // key values are never empty
	}
	return span{lo: lo, hi: limit, loose: []string{name}}
}

// keyLimit is the most bytes a value may have by its place in the keys.
func keyLimit(t *table.Table, ix *table.Index, name string) float64 {
	for _, k := range []table.Key{t.Key, ix.Key} {
		for _, a := range k.Sort() {
			if source.Is(a.Name, name) {
				return maxSortValue
			}
		}
	}
	return maxPartitionValue
}

// typeOf is the attribute's type as the entity, the keys or the attribute
// definitions state it, or "".
func typeOf(t *table.Table, ix *table.Index, a *table.EntityAttribute, name string) table.Type {
	if a != nil {
		if typ, ok := a.Type.Get(); ok {
			return typ
		}
	}
	for _, e := range slices.Concat(t.Key.Elements, ix.Key.Elements) {
		if typ, ok := e.Type.Get(); ok && source.Is(e.Name, name) {
			return typ
		}
	}
	for _, d := range t.Attributes.Items {
		if typ, ok := d.Type.Get(); ok && source.Is(d.Name, name) {
			return typ
		}
	}
	return ""
}

// templateSpan is the size of a key made by a template: its literals, and its
// places where the size of the string put there is declared.
func templateSpan(e *table.Entity, text source.Value[string]) (span, bool) {
	s, ok := text.Get()
	if !ok {
		return span{}, false
	}
	literal, places := templateParts(s)
	out := span{lo: float64(literal), hi: float64(literal)}
	for _, place := range places {
		a := e.Attribute(place)
		if a != nil && !source.Is(a.Type, "N") { // a number's text is not its size
			if n, ok := a.Size.Get(); ok {
				out = out.add(span{lo: float64(n), hi: float64(n)})
				continue
			}
		}
		out = out.add(span{lo: 1, hi: math.Inf(1), loose: []string{place}})
	}
	return out, true
}

// templateParts splits "COMPANY#{companyId}" into its 8 literal bytes and the
// names in braces.
func templateParts(s string) (literal int, places []string) {
	for {
		before, rest, open := strings.Cut(s, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return literal + len(s), places
		}
		literal += len(before)
		places = append(places, name)
		s = after
	}
}
