package rules

import "ddbvet/internal/plan"

var mgsiPKPartial = &Rule{
	ID:       "mgsi-pk-partial",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkMgsiPKPartial,
	Doc: Doc{
		Summary:   "a query does not give every partition attribute of a multi-attribute index key",
		Why:       "The partition attributes of an index are hashed together, so each of them must be given by equality; a Query that leaves one out is refused.",
		Fix:       "Give every partition attribute by equality, or keep the attribute that is always known as the only partition attribute and move the rest to the sort side.",
		Threshold: "every HASH attribute needs an equality",
		Source:    "DynamoDB Developer Guide, \"Global secondary indexes: multi-attribute keys pattern\" and \"Using Global Secondary Indexes in DynamoDB\"",
		Since:     "0.1",
		Bad:       "partition_key = [\"companyId:S\", \"assessmentType:S\"]   # key = \"companyId = :c\"",
		Good:      "partition_key = \"companyId:S\"\nsort_key = [\"assessmentType:S\", \"createdAt:N\"]   # key = \"companyId = :c\"",
	},
}

func checkMgsiPKPartial(p *Pass) {
	p.reportFaults("cannot use its index", func(r *plan.Result, f plan.Fault) bool { return f.Kind == plan.PartitionMissing && mgsiFault(r, f) })
}
