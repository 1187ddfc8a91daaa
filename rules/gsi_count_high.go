package rules

import "fmt"

// gsiMany is the number of GSIs from which a review pays; ours, not AWS's.
const gsiMany = 5

var gsiCountHigh = &Rule{
	ID: "gsi-count-high", Severity: Note, Needs: Definition, Check: checkGSICountHigh,
	Doc: Doc{
		Summary:   "the table has many global secondary indexes",
		Why:       "Every index that an item is in adds a write and its storage; indexes that are no longer read keep their price.",
		Fix:       "Compare the indexes with the access patterns, and merge or drop those that few patterns use.",
		Threshold: "more than 5 (our heuristic; AWS says to keep the number at a minimum); from 16 it is def-gsi-limit's",
		Source:    "DynamoDB developer guide: bp-indexes-general",
		Since:     "0.1",
		Bad:       "# six or more [[table.gsi]] blocks in one table",
		Good:      "# up to five [[table.gsi]] blocks, each with its access patterns",
	},
}

func checkGSICountHigh(p *Pass) {
	items := p.Table.GSIs.Items
	switch n := len(items); {
	case n >= gsiQuotaNear: // def-gsi-limit says it
	case n > gsiMany:
		p.Report(Finding{
			Known: Heuristic, At: items[gsiMany].At,
			Message: fmt.Sprintf("the table has %d global secondary indexes, more than %d", n, gsiMany),
			Numbers: []Number{{"gsis", float64(n)}, {"limit", gsiMany}},
		})
	case !p.Table.GSIs.Complete():
		p.Skip("", listGaps("gsis", p.Table.GSIs)...)
	}
}
