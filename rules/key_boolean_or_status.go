package rules

var keyBooleanOrStatus = &Rule{
	ID:       "key-boolean-or-status",
	Severity: Warning,
	Needs:    Definition,
	Check:    checkKeyBooleanOrStatus,
	Doc: Doc{
		Summary:   "the partition key of a table is a flag or a status",
		Why:       "A flag or a status takes a handful of values, so all traffic meets a handful of partitions; status codes are the developer guide's own example of a bad partition key.",
		Fix:       "Use the entity's id as partition key and find items by status through a sparse or sharded index.",
		Threshold: "a declared boolean: as key-low-cardinality. By name alone (status, state, type, country, is…): a note, and only where distinct values are neither declared nor sampled",
		Source:    "DynamoDB Developer Guide, \"Distributing workload evenly\" (status code: bad)",
		Since:     "0.1",
		Bad:       "partition_key = \"status:S\"",
		Good:      "partition_key = \"orderId:S\"",
	},
}

func checkKeyBooleanOrStatus(p *Pass) {
	key := p.Table.Key
	if !key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	parts := key.Partition()
	if len(p.Table.Entities.Items) == 0 {
		name, _ := parts[0].Name.Get()
		if fewValuesName(name) && (p.Table.Profile.Illustrative() || p.Table.Profile.Key(name) == nil) {
			p.hint(nil, []string{name}, parts[0].At, "")
		}
		return
	}
	for _, u := range partitionsOf(p.Table, nil) {
		switch _, values := u.distinctValues(); {
		case u.onlyBoolean() && values < fewValues:
			p.reportFew(&u, Estimated)
		case values >= fewValues && u.hinted() && !u.declaredValues():
			p.hint(nil, u.names(), u.at, entityName(u.entity))
		}
	}
}
