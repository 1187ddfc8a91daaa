package rules

import "ddbvet/internal/plan"

var apGetItemOnIndex = &Rule{
	ID:       "ap-getitem-on-index",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkApGetItemOnIndex,
	Doc: Doc{
		Summary:   "a GetItem or BatchGetItem on an index",
		Why:       "Index keys are not unique, so an index answers Query and Scan only; the call has no IndexName to give.",
		Fix:       "Use a Query on the index.",
		Threshold: "GetItem, BatchGetItem or TransactGetItems with an index",
		Source:    "DynamoDB Developer Guide, \"Using Global Secondary Indexes in DynamoDB\" and \"Local secondary indexes\"",
		Since:     "0.1",
		Bad:       "operation = \"GetItem\"\nindex = \"byEmail\"",
		Good:      "operation = \"Query\"\nindex = \"byEmail\"",
	},
}

func checkApGetItemOnIndex(p *Pass) {
	p.reportFaults("is refused", func(_ *plan.Result, f plan.Fault) bool { return f.Kind == plan.GetOnIndex })
}
