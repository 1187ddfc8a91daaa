package rules

import "ddbvet/internal/plan"

var apFilterOnKey = &Rule{
	ID:       "ap-filter-on-key",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkApFilterOnKey,
	Doc: Doc{
		Summary:   "a filter names a key attribute of what is queried",
		Why:       "DynamoDB refuses a Query whose filter names a key attribute of the table or index that is queried.",
		Fix:       "Move the condition into the key condition, or query an index whose key it is not.",
		Threshold: "any key attribute in the filter expression of a Query",
		Source:    "DynamoDB Developer Guide, \"Filter expressions for the Query operation\"",
		Since:     "0.1",
		Bad:       "key = \"userId = :u\"\nfilter = \"createdAt > :d\"   # createdAt is the sort key",
		Good:      "key = \"userId = :u AND createdAt > :d\"",
	},
}

func checkApFilterOnKey(p *Pass) {
	p.reportFaults("is refused", func(_ *plan.Result, f plan.Fault) bool { return f.Kind == plan.FilterOnKey })
}
