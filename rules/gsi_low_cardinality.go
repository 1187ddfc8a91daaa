package rules

import "ddbvet/internal/table"

var gsiLowCardinality = &Rule{
	ID:       "gsi-low-cardinality",
	Severity: Warning,
	Needs:    Definition,
	Applies:  hasGSIs,
	Check:    checkGSILowCardinality,
	Doc: Doc{
		Summary:   "the partition key of a global secondary index has few distinct values",
		Why:       "Every write of an indexed item is also a write to one key value of the index, which serves 1,000 WCU a second. When the index throttles, DynamoDB throttles the write to the base table, whatever capacity the table has; on-demand mode has the same limit.",
		Fix:       "Shard the index key with a suffix, make the index sparse, or lead with a composite such as status and bucket.",
		Threshold: "under 100 distinct values; note when the busiest value stays below 500 WCU/s at the declared peak, warning from there or when the rate is not known, error from 1,000 WCU/s. Without a declared busiest share the even spread is taken, which is the least, except that new items of a status, state, stage or phase all start at one value. By name alone: a note",
		Source:    "DynamoDB Developer Guide, \"Understanding GSI throttling and back pressure\" and \"Distributing workload evenly\"",
		Since:     "0.1",
		Bad:       "[[table.gsi]]\nname = \"byStatus\"\npartition_key = \"status:S\"",
		Good:      "[[table.gsi]]\nname = \"byCustomer\"\npartition_key = \"customerId:S\"",
	},
}

func hasGSIs(t *table.Table) bool { return len(t.GSIs.Items) > 0 || !t.GSIs.Complete() }

func checkGSILowCardinality(p *Pass) {
	for _, ix := range p.keyedGSIs() {
		p.gsiFew(ix)
	}
}

func (p *Pass) gsiFew(ix *table.Index) {
	uses := partitionsOf(p.Table, ix)
	found := false
	for _, u := range uses {
		switch _, values := u.distinctValues(); {
		case u.timed() || u.sharded(): // key-time-bucket-gsi, key-shards-too-few
		case values < fewValues:
			p.reportFew(&u, Estimated)
			found = true
		case u.hinted() && !u.declaredValues():
			p.hint(ix, u.names(), u.at, entityName(u.entity))
			p.undecidedFew(&u)
		default:
			p.undecidedFew(&u)
		}
	}
	if k := sampledFew(p.Table, ix.Key); k != nil && !found {
		p.reportSampledFewGSI(ix, k)
		return
	}
	if len(uses) == 0 {
		p.gsiByName(ix)
	}
}

// gsiByName judges an index of which no entity tells anything.
func (p *Pass) gsiByName(ix *table.Index) {
	var names []string
	for _, a := range ix.Key.Partition() {
		n, _ := a.Name.Get()
		names = append(names, n)
		if !fewValuesName(n) {
			p.Skip(ix.DisplayName(), "distinct values of "+quoted(n))
			return
		}
	}
	p.hint(ix, names, ix.Key.Partition()[0].At, "")
	p.Skip(ix.DisplayName(), "distinct values of "+quotedList(names))
}

func (p *Pass) reportSampledFewGSI(ix *table.Index, k *table.KeyProfile) {
	h := p.sampledHeat(ix, k)
	u := partition{index: ix}
	p.Report(Finding{
		Severity: h.severity(), Known: Sampled, At: ix.Key.At, Index: ix.DisplayName(), Attribute: k.Attribute,
		Message: "gsi " + quoted(ix.DisplayName()) + ": partition key " + quoted(k.Attribute) + " has " +
			counted(float64(k.Distinct), "value") + " among " + number(float64(p.Table.Profile.Items)) +
			" items, the most frequent on " + percent(k.TopShare) + ": " + h.text() + u.pressure(p.Table, h),
		Numbers: append([]Number{{"distinct_values", float64(k.Distinct)}, {"items", float64(p.Table.Profile.Items)}}, h.numbers()...),
	})
}
