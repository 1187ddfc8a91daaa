package rules

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// maxItem is the largest item, in bytes, names included. Source: "Constraints
// in DynamoDB", Developer Guide.
const maxItem = 400 * 1024

// largestItem is the largest size known of an entity: the declared sizes, or
// the sum of its attributes where that is more; at is its place.
func largestItem(e *table.Entity) (bytes float64, at source.Span, how string, known bool) {
	for _, v := range []struct {
		v    source.Value[int64]
		name string
	}{{e.Size.P50, "p50"}, {e.Size.P99, "p99"}, {e.Size.Max, "max"}} {
		if n, ok := v.v.Get(); ok && (!known || float64(n) >= bytes) {
			bytes, at, how, known = float64(n), v.v.At, v.name, true
		}
	}
	if sum, ok := attributeBytes(e); ok && sum > bytes {
		return sum, e.Attributes[0].At, "sum of its attributes", true
	}
	return bytes, at, how, known
}

// attributeBytes adds up names and values of the attributes whose sizes are
// known; the item is at least that large when it has them all.
func attributeBytes(e *table.Entity) (sum float64, known bool) {
	for i := range e.Attributes {
		if n, ok := valueBytes(&e.Attributes[i]); ok {
			sum, known = sum+float64(len(e.Attributes[i].Name))+n, true
		}
	}
	return sum, known
}

// valueBytes is the size of an attribute's value: as declared, or its elements
// with 3 bytes for a list or map and 1 for each element.
func valueBytes(a *table.EntityAttribute) (float64, bool) {
	if n, ok := a.Size.Get(); ok {
		return float64(n), true
	}
	element, sized := a.Element.Get()
	n, counted := a.Elements.Get()
	if !sized || !counted {
		return 0, false
	}
	switch t, _ := a.Type.Get(); t {
	case "SS", "NS", "BS":
		return float64(n * element), true
	}
	return float64(3 + n*(element+1)), true
}

// growth is what a pattern's appends make of an item.
type growth struct {
	pattern   *table.Pattern
	entity    *table.Entity // nil: not known
	attribute string
	base      float64 // bytes before the first append
	step      float64 // bytes an append adds, with 1 for the element
	times     float64
	bounded   bool // times is known
}

// final is the bytes after all appends.
func (g growth) final() float64 { return g.base + g.step*g.times }

// crossing is the append at which the item passes the limit.
func (g growth) crossing() float64 { return float64(int64((maxItem-g.base)/g.step)) + 1 }

// growths lists the patterns that append, and skips those that cannot be
// judged.
func (p *Pass) growths() (out []growth) {
	for i := range p.Plans {
		pt := p.Plans[i].Pattern
		if pt.Appends == nil {
			continue
		}
		size, ok := pt.Appends.Size.Get()
		if !ok {
			p.Skip(patternName(pt), "the bytes that one append adds")
			continue
		}
		g := growth{pattern: pt, step: float64(size) + 1, attribute: knownText(pt.Appends.Attribute), entity: entityOf(p.Table, pt)}
		if g.entity != nil {
			if n, ok := g.entity.Size.P50.Get(); ok {
				g.base = float64(n)
			}
		}
		if n, ok := pt.Appends.Times.Get(); ok {
			g.times, g.bounded = float64(n), true
		}
		out = append(out, g)
	}
	return out
}

// entityOf is the entity a pattern is about, or nil.
func entityOf(t *table.Table, pt *table.Pattern) *table.Entity {
	if n, ok := pt.Entity.Get(); ok {
		return t.EntityNamed(n)
	}
	if len(t.Entities.Items) == 1 && t.Entities.Complete() && pt.Entity.Absent() {
		return t.Entities.Items[0]
	}
	return nil
}

// writeText says what one write of an item takes, and what that is of the
// burst that a provisioned table saves up (300 s of its capacity).
func writeText(t *table.Table, bytes float64) string {
	units := max(1, steps(bytes, 1024))
	msg := "one write takes " + number(units) + " WCU"
	if wcu, ok := t.Capacity.Write.Get(); ok && source.Is(t.Billing, table.Provisioned) && wcu > 0 && units > float64(wcu) {
		msg += ", " + percent(units/float64(300*wcu)) + " of the 300 s burst of " + number(float64(wcu)) + " WCU"
	}
	return msg
}

// sizesKnown skips the entities of unknown size.
func (p *Pass) sizesKnown(e *table.Entity, what string, v source.Value[int64]) bool {
	if v.Known() {
		return true
	}
	p.Skip(entityName(e), what+" of "+quoted(entityName(e)))
	return false
}
