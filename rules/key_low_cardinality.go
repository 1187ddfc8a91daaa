package rules

import "ddbvet/internal/table"

var keyLowCardinality = &Rule{
	ID:       "key-low-cardinality",
	Severity: Warning,
	Needs:    Definition,
	Either:   Data | Items,
	Check:    checkKeyLowCardinality,
	Doc: Doc{
		Summary:   "the partition key of a table has few distinct values",
		Why:       "All items of one key value share partitions that serve 1,000 WCU and 3,000 RCU a second. With few values the traffic cannot spread, and the table throttles far below its capacity, on-demand included.",
		Fix:       "Use a partition key with many values, a composite of several attributes, or a shard suffix.",
		Threshold: "under 100 distinct values; note when the busiest value stays below 500 WCU/s (1,500 RCU/s) at the declared peak, warning from there or when the rate is not known, error from 1,000 WCU/s (3,000 RCU/s). Without a declared busiest share the even spread is taken, which is the least.",
		Source:    "DynamoDB Developer Guide, \"Distributing workload evenly\" and \"Best practices for designing and using partition keys effectively\"; 100 values: AWS MCP data-modelling guidance",
		Since:     "0.1",
		Bad:       "partition_key = \"assessmentType:S\"\n[[table.entity]]\ndistinct = { assessmentType = 3 }",
		Good:      "partition_key = \"companyId:S\"\n[[table.entity]]\ndistinct = { companyId = 5_000 }",
	},
}

func checkKeyLowCardinality(p *Pass) {
	if !p.Table.Key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	found := false
	for _, u := range partitionsOf(p.Table, nil) {
		_, values := u.distinctValues()
		switch {
		case len(u.places) == 0 || values == 1 || u.timed() || u.sharded() || u.onlyBoolean():
			// key-constant, key-time-bucket, key-shards-too-few, key-boolean-or-status
		case values < fewValues:
			p.reportFew(&u, Estimated)
			found = true
		default:
			p.undecidedFew(&u)
		}
	}
	if k := sampledFew(p.Table, p.Table.Key); k != nil && k.Distinct > 1 && !found {
		p.reportSampledFew(k)
	}
}

// reportSampledFew reports few values among the items that were looked at.
func (p *Pass) reportSampledFew(k *table.KeyProfile) {
	h := p.sampledHeat(nil, k)
	p.Report(Finding{
		Severity: h.severity(), Known: Sampled, At: p.Table.Key.At, Attribute: k.Attribute,
		Message: "partition key " + quoted(k.Attribute) + " has " + counted(float64(k.Distinct), "value") + " among " +
			number(float64(p.Table.Profile.Items)) + " items, the most frequent on " + percent(k.TopShare) + ": " + h.text(),
		Numbers: append([]Number{{"distinct_values", float64(k.Distinct)}, {"items", float64(p.Table.Profile.Items)}}, h.numbers()...),
	})
}
