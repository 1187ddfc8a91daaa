package table

import (
	"strings"

	"ddbvet/internal/source"
)

// InIndex tells whether the items of an entity are in an index, and whether
// that is known. An entity is known to be outside when an attribute of the
// index key is made by a template in another entity and this one neither has
// a template for it nor declares it; it is not known whether an item with an
// optional key attribute is inside. A nil index is the base table.
func InIndex(t *Table, ix *Index, e *Entity) (in, known bool) {
	if ix == nil {
		return true, true
	}
	known = ix.Key.Complete()
	for _, k := range ix.Key.Elements {
		name, ok := k.Name.Get()
		if !ok || t.Key.Has(name) {
			continue
		}
		if _, has := e.KeyTemplate(name); has {
			continue
		}
		if a := e.Attribute(name); a != nil {
			if !source.Is(a.Optional, false) && !a.Optional.Absent() {
				known = false
			}
			continue
		}
		if templated(t, name) {
			return false, true
		}
		if !e.Mentions(name) {
			known = false
		}
	}
	return true, known
}

// templated tells whether some entity of the table makes the attribute by a
// template of other attributes.
func templated(t *Table, name string) bool {
	for _, e := range t.Entities.Items {
		if text, has := e.KeyTemplate(name); has && !source.Is(text, "{"+name+"}") {
			return true
		}
	}
	return false
}

// Mentions tells whether the entity's declaration names the attribute: as an
// attribute, a key, a place in a key template or in its numbers.
func (e *Entity) Mentions(name string) bool {
	if e.Attribute(name) != nil || StatOf(e.Distinct, name).Known() || StatOf(e.Busiest, name).Known() {
		return true
	}
	for _, k := range e.Key {
		if text, _ := k.Text.Get(); k.Attribute == name || strings.Contains(text, "{"+name+"}") {
			return true
		}
	}
	return false
}

// EntrySize is the size in bytes of an entity's entry in an index, without
// the overhead per item, and whether it is known (developer guide, secondary
// indexes: table key, index key and projected attributes with their names).
// It is the whole item under ALL and of the base table (nil index), and else
// needs the declared size of every attribute that is carried.
func EntrySize(t *Table, ix *Index, e *Entity) (bytes int64, known bool) {
	if ix == nil || source.Is(ix.Projection, ProjectionAll) {
		return e.Size.P50.Get()
	}
	names, known := carried(t, ix)
	if !known {
		return 0, false
	}
	for _, name := range names {
		size, ok := e.valueSize(name)
		if !ok {
			return 0, false
		}
		bytes += int64(len(name)) + size
	}
	return bytes, true
}

// carried lists the attributes in an entry of an index that does not project
// ALL, each once, and whether the list is known to be whole.
func carried(t *Table, ix *Index) (names []string, known bool) {
	known = t.Key.Complete() && ix.Key.Complete() && ix.Projection.Known()
	seen := map[string]bool{}
	add := func(v source.Value[string]) {
		name, ok := v.Get()
		if known = known && ok; ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, key := range []Key{t.Key, ix.Key} {
		for _, k := range key.Elements {
			add(k.Name)
		}
	}
	if source.Is(ix.Projection, ProjectionInclude) {
		known = known && ix.NonKey.Complete()
		for _, name := range ix.NonKey.Items {
			add(name)
		}
	}
	return names, known
}

// valueSize is the declared size of an attribute's value in bytes. A templated
// key is as long as its literals and the values in its places together; BOOL
// and NULL take one byte.
func (e *Entity) valueSize(name string) (int64, bool) {
	if a := e.Attribute(name); a != nil {
		if n, ok := a.Size.Get(); ok {
			return n, true
		}
		if source.Is(a.Type, "BOOL") || source.Is(a.Type, "NULL") {
			return 1, true
		}
	}
	v, _ := e.KeyTemplate(name)
	text, ok := v.Get()
	if !ok || text == "{"+name+"}" {
		return 0, false
	}
	var size int64
	for text != "" {
		lead, rest, open := strings.Cut(text, "{")
		place, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return size + int64(len(text)), true
		}
		a := e.Attribute(place)
		if a == nil {
			return 0, false
		}
		n, ok := a.Size.Get()
		if !ok {
			return 0, false
		}
		size += int64(len(lead)) + n
		text = after
	}
	return size, true
}
