package rules

import (
	"math"

	"github.com/shopspring/decimal"

	"ddbvet/internal/table"
)

// boundary is an entity whose items are just over a step of billing.
type boundary struct {
	entity *table.Entity
	bytes  float64 // the typical item
	over   float64 // bytes over the step
	step   float64
}

// justOver lists the entities of one size step whose typical item is at most a
// tenth of a step over it. Where p50 and p99 are in different steps no single
// number of bytes saves a unit on most items, so nothing is said.
func (p *Pass) justOver(step float64) (out []boundary) {
	for _, e := range p.Table.Entities.Items {
		if !p.sizesKnown(e, "item_size", e.Size.P50) {
			continue
		}
		n, _ := e.Size.P50.Get()
		bytes := float64(n)
		if q, ok := e.Size.P99.Get(); ok && steps(bytes, step) != steps(float64(q), step) {
			continue
		}
		over := math.Mod(bytes, step)
		if bytes > step && over > 0 && over <= step/10 {
			out = append(out, boundary{e, bytes, over, step})
		}
	}
	return out
}

// reportBoundary reports what trimming an item saves, when it is more than a
// dollar a month. units is the units saved a second on average.
func (p *Pass) reportBoundary(b boundary, units float64, write bool, what string, gaps []string) {
	saved := p.monthlyUnits(units, write)
	amount, priced := saved.Get()
	switch {
	case units == 0 && len(gaps) == 0: // nobody pays for it
	case priced && amount.GreaterThan(decimal.NewFromInt(1)):
		p.Report(Finding{
			Known: Estimated, At: b.entity.Size.P50.At, Entity: entityName(b.entity), Monthly: saved,
			Message: "items of " + quoted(entityName(b.entity)) + " have " + number(b.bytes) + " B, " + number(b.over) + " B over a step of " +
				byteSize(b.step) + ": trimming " + number(b.over) + " B saves " + what + costText(saved),
			Numbers: addDollars([]Number{{"bytes", b.bytes}, {"bytes_over", b.over}}, "monthly_saving_usd", saved),
		})
	case len(gaps) > 0:
		p.Skip(entityName(b.entity), gaps...)
	case !priced:
		p.Skip(entityName(b.entity), "the Region, the billing mode and a price")
	}
}
