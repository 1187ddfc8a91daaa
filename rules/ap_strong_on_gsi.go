package rules

import "ddbvet/internal/plan"

var apStrongOnGSI = &Rule{
	ID:       "ap-strong-on-gsi",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkApStrongOnGSI,
	Doc: Doc{
		Summary:   "a strongly consistent read of a global secondary index",
		Why:       "A global secondary index is written after its table and is eventually consistent; DynamoDB refuses ConsistentRead on it.",
		Fix:       "Read the index eventually (consistent = false), or read the item by the table's own key, or by a local index, where it must be current.",
		Threshold: "consistent = true with a GSI; no reason makes it possible",
		Source:    "DynamoDB Developer Guide, \"DynamoDB read consistency\"",
		Since:     "0.1",
		Bad:       "index = \"byStatus\"\nconsistent = true",
		Good:      "index = \"byStatus\"\nconsistent = false",
	},
}

func checkApStrongOnGSI(p *Pass) {
	p.reportFaults("is refused", func(_ *plan.Result, f plan.Fault) bool { return f.Kind == plan.StrongOnGSI })
}
