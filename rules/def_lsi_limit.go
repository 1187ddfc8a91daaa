package rules

import "fmt"

// lsiLimit is the fixed number of LSIs a table.
const lsiLimit = 5

var defLSILimit = &Rule{
	ID: "def-lsi-limit", Severity: Error, Needs: Definition, Check: checkDefLSILimit,
	Doc: Doc{
		Summary:   "the table has more than five local secondary indexes",
		Why:       "The limit is fixed, so the table cannot be created.",
		Fix:       "Use global secondary indexes for what goes beyond five.",
		Threshold: "5 (not adjustable)",
		Source:    "DynamoDB developer guide: ServiceQuotas (secondary indexes per table)",
		Since:     "0.1",
		Bad:       "# six [[table.lsi]] blocks in one table",
		Good:      "# up to five [[table.lsi]] blocks; further ones as [[table.gsi]]",
	},
}

func checkDefLSILimit(p *Pass) {
	items := p.Table.LSIs.Items
	switch n := len(items); {
	case n > lsiLimit:
		p.Report(Finding{
			At:      items[lsiLimit].At,
			Message: fmt.Sprintf("the table has %d local secondary indexes; the limit is %d and cannot be raised", n, lsiLimit),
			Numbers: []Number{{"lsis", float64(n)}, {"limit", lsiLimit}},
		})
	case !p.Table.LSIs.Complete():
		p.Skip("", listGaps("lsis", p.Table.LSIs)...)
	}
}
