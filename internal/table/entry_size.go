package table

import (
	"math"
	"slices"
	"strings"

	"ddbvet/internal/source"
)

// Limits that bound a value whose size nobody declared, in bytes. Source:
// developer guide, "Constraints in DynamoDB"; numbers have up to 38 digits.
const (
	maxPartitionValue = 2048
	maxSortValue      = 1024
	MaxNumberBytes    = 22
)

// ItemBytes is the size of an entity's typical item in bytes: its declared
// median. The mean, which money follows, is taken to be the median; an entity
// with a long tail costs more than that.
func ItemBytes(e *Entity) (bytes int64, known bool) {
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
func EntrySize(t *Table, ix *Index, e *Entity) (bytes int64, known bool) {
	s := EntrySpan(t, ix, e)
	if math.IsInf(s.Hi, 1) {
		return 0, false
	}
	return int64(s.Hi), s.Exact()
}

// ByteSpan is a size in bytes that lies between Lo and Hi, which is infinite where
// nothing bounds it. Loose names the attributes that keep it from being known.
type ByteSpan struct {
	Lo, Hi float64
	Loose  []string
}

// Exact tells whether the size is known.
func (s ByteSpan) Exact() bool { return len(s.Loose) == 0 || s.Lo == s.Hi }

func (s ByteSpan) add(o ByteSpan) ByteSpan {
	return ByteSpan{s.Lo + o.Lo, s.Hi + o.Hi, append(s.Loose, o.Loose...)}
}

// Units is f of the size when all sizes of the span agree on it, or when the
// size is known.
func (s ByteSpan) Units(f func(bytes float64) float64) (units float64, known bool) {
	if s.Exact() && !math.IsInf(s.Hi, 1) {
		return f(s.Hi), true
	}
	if math.IsInf(s.Hi, 1) || f(s.Lo) != f(s.Hi) {
		return 0, false
	}
	return f(s.Hi), true
}

// ItemSpan is the size of an entity's typical item, unbounded where nobody
// declared it.
func ItemSpan(e *Entity) ByteSpan {
	if n, ok := ItemBytes(e); ok {
		return ByteSpan{Lo: float64(n), Hi: float64(n)}
	}
	return ByteSpan{Hi: math.Inf(1), Loose: []string{"item_size"}}
}

// EntrySpan is the size of an entity's entry in an index, or of its item in
// the table where ix is nil. An entry is never larger than its item.
func EntrySpan(t *Table, ix *Index, e *Entity) ByteSpan {
	item := ItemSpan(e)
	projection := ProjectionAll
	if ix != nil {
		var ok bool
		if projection, ok = ix.Projection.Get(); !ok {
			return ByteSpan{Hi: item.Hi, Loose: []string{"projection of " + ix.DisplayName()}}
		}
	}
	if projection == ProjectionAll || e == nil {
		return item
	}
	var entry ByteSpan
	for _, name := range keyNames(t, ix) {
		entry = entry.add(attributeSpan(t, ix, e, name, true))
	}
	if projection == ProjectionInclude {
		entry = entry.add(includedSpan(t, ix, e))
	}
	if !ix.Key.Complete() || !t.Key.Complete() {
		entry = entry.add(ByteSpan{Hi: math.Inf(1), Loose: []string{"keys of " + ix.DisplayName()}})
	}
	entry.Hi = min(entry.Hi, item.Hi)
	if most := item.Hi - leftOut(t, ix, e); most >= entry.Lo { // else the sizes contradict each other
		entry.Hi = min(entry.Hi, most)
	}
	entry.Lo = min(entry.Lo, entry.Hi)
	return entry
}

// leftOut is the bytes of an item that its entry cannot hold: those of the
// attributes with a declared size that every item has and the index does not
// project. One that a key is made from may be in that key alone.
func leftOut(t *Table, ix *Index, e *Entity) (bytes float64) {
	var parts []string
	for _, k := range e.Key {
		text, _ := k.Text.Get()
		_, places := TemplateParts(text)
		parts = append(parts, places...)
	}
	for i := range e.Attributes {
		a := &e.Attributes[i]
		size, sized := a.Size.Get()
		always := a.Optional.Absent() || source.Is(a.Optional, false)
		if carried, known := ix.Projects(t, a.Name); sized && always && known && !carried && !slices.Contains(parts, a.Name) {
			bytes += float64(len(a.Name)) + float64(size)
		}
	}
	return bytes
}

// includedSpan is the size of the attributes listed in an INCLUDE projection.
func includedSpan(t *Table, ix *Index, e *Entity) (out ByteSpan) {
	keys := keyNames(t, ix)
	for _, a := range ix.NonKey.Items {
		name, ok := a.Get()
		switch {
		case !ok:
			out = out.add(ByteSpan{Hi: math.Inf(1), Loose: []string{"an attribute of " + ix.DisplayName()}})
		case !slices.Contains(keys, name):
			out = out.add(attributeSpan(t, ix, e, name, false))
		}
	}
	if !ix.NonKey.Complete() {
		out = out.add(ByteSpan{Hi: math.Inf(1), Loose: []string{"attributes of " + ix.DisplayName()}})
	}
	return out
}

// keyNames lists the key attributes that every entry carries, each once.
func keyNames(t *Table, ix *Index) (names []string) {
	for _, e := range slices.Concat(t.Key.Elements, ix.Key.Elements) {
		if n, ok := e.Name.Get(); ok && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// attributeSpan is the size of one attribute with its name.
func attributeSpan(t *Table, ix *Index, e *Entity, name string, key bool) ByteSpan {
	v := valueSpan(t, ix, e, name, key)
	v.Lo += float64(len(name))
	v.Hi += float64(len(name))
	if a := e.Attribute(name); !key && (a == nil || !a.Optional.Absent() && !source.Is(a.Optional, false)) {
		v.Lo = 0 // the item may lack it
	}
	return v
}

func valueSpan(t *Table, ix *Index, e *Entity, name string, key bool) ByteSpan {
	a := e.Attribute(name)
	if a != nil {
		if n, ok := a.Size.Get(); ok {
			return ByteSpan{Lo: float64(n), Hi: float64(n)}
		}
	}
	limit := math.Inf(1)
	if key {
		limit = keyLimit(t, ix, name)
	}
	if text, ok := e.KeyTemplate(name); ok && !source.Is(text, "{"+name+"}") {
		if s, ok := templateSpan(e, text); ok {
			s.Hi = max(min(s.Hi, limit), s.Lo)
			if len(s.Loose) > 0 {
				s.Loose = []string{name}
			}
			return s
		}
	}
	switch typeOf(t, ix, a, name) {
	case "BOOL", "NULL":
		return ByteSpan{Lo: 1, Hi: 1}
	case "N":
		return ByteSpan{Lo: 1, Hi: MaxNumberBytes}
	}
	if a != nil {
		element, sized := a.Element.Get()
		if n, counted := a.Elements.Get(); sized && counted {
			return ByteSpan{Lo: 1, Hi: float64(3 + n*(element+1)), Loose: []string{name}}
		}
	}
	lo := 0.0
	if key {
		lo = 1 // key values are never empty
	}
	return ByteSpan{Lo: lo, Hi: limit, Loose: []string{name}}
}

// keyLimit is the most bytes a value may have by its place in the keys.
func keyLimit(t *Table, ix *Index, name string) float64 {
	for _, k := range []Key{t.Key, ix.Key} {
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
func typeOf(t *Table, ix *Index, a *EntityAttribute, name string) Type {
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
func templateSpan(e *Entity, text source.Value[string]) (ByteSpan, bool) {
	s, ok := text.Get()
	if !ok {
		return ByteSpan{}, false
	}
	literal, places := TemplateParts(s)
	out := ByteSpan{Lo: float64(literal), Hi: float64(literal)}
	for _, place := range places {
		a := e.Attribute(place)
		if a != nil && !source.Is(a.Type, "N") { // a number's text is not its size
			if n, ok := a.Size.Get(); ok {
				out = out.add(ByteSpan{Lo: float64(n), Hi: float64(n)})
				continue
			}
		}
		out = out.add(ByteSpan{Lo: 1, Hi: math.Inf(1), Loose: []string{place}})
	}
	return out, true
}

// TemplateParts splits "COMPANY#{companyId}" into its 8 literal bytes and the
// names in braces.
func TemplateParts(s string) (literal int, places []string) {
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
