package table

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
)

// Membership is whether the items of an entity have entries in an index.
type Membership uint8

// The kinds of membership.
const (
	IsOut       Membership = iota // no item has an entry
	IsIn                          // every item has one
	IsSometimes                   // items that have an optional key attribute do
	IsUnclear                     // the declarations do not say
)

// Enters tells whether the items of an entity have entries in an index, and
// whether that is known. They have when the entity is declared with all key
// attributes of the index (by template, attribute or numbers), when a
// pattern reads it from there, or when it is the table's only entity and the
// index is not declared sparse. They have not when they lack a key attribute
// that another entity of the table is declared with.
func Enters(t *Table, ix *Index, e *Entity) (in, known bool) {
	m, _ := MembershipOf(t, ix, e)
	return m == IsIn, m == IsIn || m == IsOut
}

// MembershipOf also says what would have to be known.
func MembershipOf(t *Table, ix *Index, e *Entity) (m Membership, needs string) {
	if ix == nil {
		return IsIn, "" // the base table
	}
	if !ix.Key.Complete() {
		return IsUnclear, fmt.Sprintf("key of index %q", ix.DisplayName())
	}
	name, _ := e.Name.Get()
	sparse := source.Is(ix.Sparse, true)
	var optional, missing []string
	for _, k := range ix.Key.Elements {
		attribute, _ := k.Name.Get()
		switch has := evidenceOf(t, e, attribute); {
		case has == IsOut:
			missing = append(missing, attribute)
		case has == IsSometimes, has == IsUnclear && sparse:
			optional = append(optional, attribute)
		}
	}
	switch {
	case len(missing) == 0 && len(optional) == 0:
		return IsIn, ""
	case len(missing) == 0:
		return IsSometimes, fmt.Sprintf("the share of %q items that have %q, a key attribute of index %q", name, optional[0], ix.DisplayName())
	case anotherHas(t, e, missing) && !readFrom(t, ix, e):
		return IsOut, ""
	case sparse:
		return IsSometimes, fmt.Sprintf("the share of %q items in the sparse index %q", name, ix.DisplayName())
	case len(optional) == 0 && (readFrom(t, ix, e) || len(t.Entities.Items) == 1 && t.Entities.Complete()):
		return IsIn, ""
	}
	return IsUnclear, fmt.Sprintf("whether %q items have %q, a key attribute of index %q", name, missing[0], ix.DisplayName())
}

// evidenceOf tells whether the entity's items are declared with an attribute:
// IsIn, IsSometimes (optional), IsUnclear (an update changes it, so items have
// it, perhaps not from the start) or IsOut for no word of it.
func evidenceOf(t *Table, e *Entity, attribute string) Membership {
	a := e.Attribute(attribute)
	_, templated := e.KeyTemplate(attribute)
	switch {
	case t.Key.Has(attribute):
		return IsIn
	case a != nil && !a.Optional.Absent() && !source.Is(a.Optional, false):
		return IsSometimes
	case templated, e.Mentions(attribute):
		return IsIn
	}
	for _, p := range t.Patterns.Items {
		if name, ok := e.Name.Get(); ok && source.Is(p.Entity, name) && slices.ContainsFunc(p.Sets.Items,
			func(v source.Value[string]) bool { return source.Is(v, attribute) }) {
			return IsUnclear
		}
	}
	return IsOut
}

// anotherHas tells whether another entity is declared with one of the
// attributes, so that leaving it out says something about this one.
func anotherHas(t *Table, e *Entity, attributes []string) bool {
	for _, other := range t.Entities.Items {
		for _, a := range attributes {
			if other != e && evidenceOf(t, other, a) != IsOut {
				return true
			}
		}
	}
	return false
}

// readFrom tells whether a declared pattern reads the entity from the index.
func readFrom(t *Table, ix *Index, e *Entity) bool {
	index, ok := ix.Name.Get()
	name, named := e.Name.Get()
	if !ok || !named {
		return false
	}
	for _, p := range t.Patterns.Items {
		if !source.Is(p.Index, index) {
			continue
		}
		if source.Is(p.Entity, name) {
			return true
		}
		for _, other := range p.Entities.Items {
			if source.Is(other, name) {
				return true
			}
		}
	}
	return false
}
