package rules

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var itemReadBoundary = &Rule{
	ID:       "item-read-boundary",
	Severity: Note,
	Needs:    Data | Patterns,
	Check:    checkItemReadBoundary,
	Doc: Doc{
		Summary:   "items are just over a step of 4 KB, which each read of one item pays",
		Why:       "GetItem, BatchGetItem and TransactGetItems round each item up to 4 KB; a few bytes over a step cost a unit (half of one, eventually) on every read.",
		Fix:       "Shorten attribute names or values, or move what is seldom read to an item of its own.",
		Threshold: "the typical item is at most 409 B over a multiple of 4,096 B, and trimming it saves more than $1 a month",
		Source:    "DynamoDB Developer Guide, \"DynamoDB read and write operations\"",
		Since:     "0.1",
		Bad:       "item_size = \"4200B\"   # GetItem at 500/s",
		Good:      "item_size = \"4000B\"   # GetItem at 500/s",
	},
}

func checkItemReadBoundary(p *Pass) {
	for _, b := range p.justOver(4096) {
		units := 0.0
		var gaps []string
		for i := range p.Plans {
			r := &p.Plans[i]
			each := itemReadUnits(r.Pattern)
			if touched, _ := p.touches(r, b.entity); each == 0 || !touched {
				continue
			}
			rate, ok := averageRate(r.Pattern)
			if !ok {
				gaps = append(gaps, "the rate of "+quoted(patternName(r.Pattern)))
				continue
			}
			units += each * rate
		}
		p.reportBoundary(b, units, false, "a read unit (half of one, eventually) on each read of one item", gaps)
	}
}

// itemReadUnits is the units that one step of 4 KB costs a call that reads
// items one by one; 0 for other operations.
func itemReadUnits(pt *table.Pattern) float64 {
	n := 1.0
	if v, ok := pt.Returns.Get(); ok {
		n = max(1, v)
	}
	switch op, _ := pt.Operation.Get(); {
	case op == table.TransactGetItems:
		return 2 * n
	case op == table.BatchGetItem && source.Is(pt.Consistent, true):
		return n
	case op == table.BatchGetItem:
		return n / 2
	case op == table.GetItem && source.Is(pt.Consistent, true):
		return 1
	case op == table.GetItem:
		return 0.5
	}
	return 0
}
