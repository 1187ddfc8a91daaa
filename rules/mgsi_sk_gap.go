package rules

import "ddbvet/internal/plan"

var mgsiSKGap = &Rule{
	ID:       "mgsi-sk-gap",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkMgsiSKGap,
	Doc: Doc{
		Summary:   "a query skips a sort attribute of a multi-attribute index key",
		Why:       "The sort attributes of an index are compared from left to right, so a condition can use one only when every earlier one is given by equality; a Query with a gap is refused.",
		Fix:       "Order the sort attributes so that those that are always given come first, or add a second index for this pattern; with natural attributes it needs no backfill by the application.",
		Threshold: "conditions on RANGE attributes go from left to right without a gap",
		Source:    "DynamoDB Developer Guide, \"Global secondary indexes: multi-attribute keys pattern\" and \"Using Global Secondary Indexes in DynamoDB\"",
		Since:     "0.1",
		Bad:       "sort_key = [\"assessmentType:S\", \"status:S\", \"createdAt:N\"]   # key = \"companyId = :c AND assessmentType = :t AND createdAt > :d\"",
		Good:      "sort_key = [\"assessmentType:S\", \"createdAt:N\"]   # key = \"companyId = :c AND assessmentType = :t AND createdAt > :d\"",
	},
}

func checkMgsiSKGap(p *Pass) {
	p.reportFaults("cannot use its index", func(r *plan.Result, f plan.Fault) bool { return f.Kind == plan.SortGap && mgsiFault(r, f) })
}
