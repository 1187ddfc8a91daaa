package cost

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// membership is whether the items of an entity have entries in an index.
type membership uint8

const (
	isOut       membership = iota // no item has one
	isIn                          // every item has one
	isSometimes                   // items that have an optional key attribute do
	isUnclear                     // the declarations do not say
)

// Enters tells whether the items of an entity have entries in an index, and
// whether that is known. They have when the entity is declared with all key
// attributes of the index (by template, attribute or numbers), when a
// pattern reads it from there, or when it is the table's only entity and the
// index is not declared sparse. They have not when they lack a key attribute
// that another entity of the table is declared with.
func Enters(t *table.Table, ix *table.Index, e *table.Entity) (in, known bool) {
	m, _ := enters(t, ix, e)
	return m == isIn, m == isIn || m == isOut
}

// enters also says what would have to be known.
func enters(t *table.Table, ix *table.Index, e *table.Entity) (membership, string) {
	if !ix.Key.Complete() {
		return isUnclear, fmt.Sprintf("key of index %q", ix.DisplayName())
	}
	name, _ := e.Name.Get()
	sparse := source.Is(ix.Sparse, true)
	var optional, missing []string
	for _, k := range ix.Key.Elements {
		attribute, _ := k.Name.Get()
		switch has := evidenceOf(t, e, attribute); {
		case has == isOut:
			missing = append(missing, attribute)
		case has == isSometimes, has == isUnclear && sparse:
			optional = append(optional, attribute)
		}
	}
	switch {
	case len(missing) == 0 && len(optional) == 0:
		return isIn, ""
	case len(missing) == 0:
		return isSometimes, fmt.Sprintf("the share of %q items that have %q, a key attribute of index %q", name, optional[0], ix.DisplayName())
	case anotherHas(t, e, missing) && !readFrom(t, ix, e):
		return isOut, ""
	case sparse:
		return isSometimes, fmt.Sprintf("the share of %q items in the sparse index %q", name, ix.DisplayName())
	case len(optional) == 0 && (readFrom(t, ix, e) || len(t.Entities.Items) == 1 && t.Entities.Complete()):
		return isIn, ""
	}
	return isUnclear, fmt.Sprintf("whether %q items have %q, a key attribute of index %q", name, missing[0], ix.DisplayName())
}

// evidenceOf tells whether the entity's items are declared with an attribute:
// isIn, isSometimes (optional), isUnclear (an update changes it, so items have
// it, perhaps not from the start) or isOut for no word of it.
func evidenceOf(t *table.Table, e *table.Entity, attribute string) membership {
	a := e.Attribute(attribute)
	_, templated := e.KeyTemplate(attribute)
	switch {
	case t.Key.Has(attribute):
		return isIn
	case a != nil && !a.Optional.Absent() && !source.Is(a.Optional, false):
		return isSometimes
	case templated, e.Mentions(attribute):
		return isIn
	}
	for _, p := range t.Patterns.Items {
		if name, ok := e.Name.Get(); ok && source.Is(p.Entity, name) && slices.ContainsFunc(p.Sets.Items,
			func(v source.Value[string]) bool { return source.Is(v, attribute) }) {
			return isUnclear
		}
	}
	return isOut
}

// anotherHas tells whether another entity is declared with one of the
// attributes, so that leaving it out says something about this one.
func anotherHas(t *table.Table, e *table.Entity, attributes []string) bool {
	for _, other := range t.Entities.Items {
		for _, a := range attributes {
			if other != e && evidenceOf(t, other, a) != isOut {
				return true
			}
		}
	}
	return false
}

// readFrom tells whether a declared pattern reads the entity from the index.
func readFrom(t *table.Table, ix *table.Index, e *table.Entity) bool {
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
