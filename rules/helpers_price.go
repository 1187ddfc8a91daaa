package rules

import (
	"github.com/shopspring/decimal"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// monthlyUnits is what units a second are worth a month, in the table's mode;
// unknown where Region, mode or class is.
func (p *Pass) monthlyUnits(unitsPerSecond float64, write bool) cost.Money {
	switch {
	case p.Book == nil || p.Region == "":
		return cost.Money{}
	case write:
		return cost.MonthlyThroughput(p.Table, p.Book, p.Region, 0, unitsPerSecond)
	}
	return cost.MonthlyThroughput(p.Table, p.Book, p.Region, unitsPerSecond, 0)
}

// amount is quantity × the price of a dimension in the pass's Region and the
// table's class.
func (p *Pass) amount(dim cost.Dimension, quantity float64) cost.Money {
	class, known := cost.ClassOf(p.Table)
	if !known || p.Book == nil || p.Region == "" {
		return cost.Money{}
	}
	price, ok := p.Book.Price(p.Region, class, dim)
	if !ok {
		return cost.Money{}
	}
	return cost.USD(decimal.NewFromFloat(quantity).Mul(price.Amount))
}

// readUnits is what one call of a planned read consumes, everything together.
func readUnits(t *table.Table, r *plan.Result) (units float64, known bool) {
	usage := cost.Consume(t, r)
	for _, part := range usage.Parts {
		units += part.Read
	}
	return units, len(usage.Unknown) == 0 && len(usage.Parts) > 0
}

// consistency is how the pattern reads.
func consistency(pt *table.Pattern) cost.Consistency {
	if source.Is(pt.Consistent, true) {
		return cost.Strong
	}
	return cost.Eventual
}

// costText is ", $12.50 a month", or nothing where the amount is not known.
func costText(m cost.Money) string {
	if !m.Known() {
		return ""
	}
	return ", " + m.String() + " a month"
}

// addDollars adds the dollars to a finding's numbers where known.
func addDollars(nums []Number, name string, m cost.Money) []Number {
	if f, ok := m.Float(); ok {
		nums = append(nums, Number{name, f})
	}
	return nums
}
