package rules

import "ddbvet/internal/plan"

var mgsiRangeNotLast = &Rule{
	ID:       "mgsi-range-not-last",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkMgsiRangeNotLast,
	Doc: Doc{
		Summary:   "a query has a condition after a range on a multi-attribute index key",
		Why:       "After an inequality, BETWEEN or begins_with the order of the key holds no further: a condition on a later sort attribute is refused.",
		Fix:       "Put the attribute with the range last among the sort attributes, after those given by equality.",
		Threshold: "one range (<, >, <=, >=, BETWEEN, begins_with), and it is the last condition",
		Source:    "DynamoDB Developer Guide, \"Global secondary indexes: multi-attribute keys pattern\" and \"Using Global Secondary Indexes in DynamoDB\"",
		Since:     "0.1",
		Bad:       "sort_key = [\"createdAt:N\", \"status:S\"]   # key = \"companyId = :c AND createdAt > :d AND status = :s\"",
		Good:      "sort_key = [\"status:S\", \"createdAt:N\"]   # key = \"companyId = :c AND status = :s AND createdAt > :d\"",
	},
}

func checkMgsiRangeNotLast(p *Pass) {
	p.reportFaults("cannot use its index", func(r *plan.Result, f plan.Fault) bool { return f.Kind == plan.RangeNotLast && mgsiFault(r, f) })
}
