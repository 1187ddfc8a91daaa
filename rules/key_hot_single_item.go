package rules

import (
	"slices"

	"ddbvet/internal/table"
)

var keyHotSingleItem = &Rule{
	ID:       "key-hot-single-item",
	Severity: Warning,
	Needs:    Data | Patterns,
	Check:    checkKeyHotSingleItem,
	Doc: Doc{
		Summary:   "one item takes a large part of what one partition serves",
		Why:       "An item lives in one partition and cannot be split: it takes 1,000 WCU and serves 3,000 RCU a second at most. A counter that every request updates throttles there, in either capacity mode.",
		Fix:       "Split the item: a counter becomes N items id#0 … id#N-1 that are updated at random and summed on reading; a configuration item is cached or copied.",
		Threshold: "an entity of one item (its whole key is constant, or its count is 1): warning from 500 WCU/s or 1,500 RCU/s at the declared peak, error from 1,000 WCU/s or 3,000 RCU/s",
		Source:    "DynamoDB Developer Guide, \"Best practices for designing and using partition keys effectively\"",
		Since:     "0.1",
		Bad:       "[[table.entity]]\nname = \"Counter\"\nkey = { PK = \"COUNTER\", SK = \"TOTAL\" }   # UpdateItem at 1,200/s",
		Good:      "[[table.entity]]\nname = \"Counter\"\nkey = { PK = \"COUNTER#{0..9}\", SK = \"TOTAL\" }",
	},
}

func checkKeyHotSingleItem(p *Pass) {
	if !p.Table.Key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	for _, u := range partitionsOf(p.Table, nil) {
		if !u.singleItem() {
			continue
		}
		tr := p.keyTraffic(nil, u.entity)
		h := heat{write: tr.write, read: tr.read}
		if h.fraction() >= 0.5 {
			p.Report(Finding{
				Severity: h.severity(), Known: Estimated, At: u.at, Attribute: u.attr, Entity: entityName(u.entity),
				Message: "entity " + quoted(entityName(u.entity)) + " is one item, " + quoted(u.text) + ": " + h.text(),
				Numbers: h.numbers(),
			})
		}
		if gaps := slices.Concat(tr.unsure, tr.unread); len(gaps) > 0 && len(tr.writers)+len(tr.readers) > 0 {
			p.Skip(u.attr, gaps...)
		}
	}
}

// singleItem tells whether the entity is one item in the table.
func (u *partition) singleItem() bool {
	return u.needs == "" && u.own && len(u.places) == 0 || countOne(u.entity)
}

func countOne(e *table.Entity) bool {
	n, ok := e.Count.Get()
	return ok && n == 1
}
