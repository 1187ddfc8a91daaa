package rules

import "ddbvet/internal/plan"

var gsiProjectionMissing = &Rule{
	ID:       "gsi-projection-missing",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkGsiProjectionMissing,
	Doc: Doc{
		Summary:   "a pattern needs an attribute that its global secondary index does not carry",
		Why:       "A global secondary index cannot fetch from its table: the attribute is missing from the answer, and the application would have to read each item again.",
		Fix:       "Project the attribute, or declare the follow-up read as a pattern of its own.",
		Threshold: "every attribute in needs must be a key attribute or projected",
		Source:    "DynamoDB Developer Guide, \"Using Global Secondary Indexes in DynamoDB\" (attribute projections)",
		Since:     "0.1",
		Bad:       "projection = \"keys-only\"   # a pattern with needs = [\"score\"]",
		Good:      "projection = [\"score\"]     # a pattern with needs = [\"score\"]",
	},
}

func checkGsiProjectionMissing(p *Pass) {
	p.reportFaults("lacks an attribute", func(_ *plan.Result, f plan.Fault) bool { return f.Kind == plan.NotProjected })
}
