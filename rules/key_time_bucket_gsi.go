package rules

var keyTimeBucketGSI = &Rule{
	ID:       "key-time-bucket-gsi",
	Severity: Warning,
	Needs:    Definition,
	Applies:  hasGSIs,
	Check:    checkKeyTimeBucketGSI,
	Doc: Doc{
		Summary:   "the partition key of a global secondary index is a span of time",
		Why:       "All items written now go to one value of the index. When that value throttles, DynamoDB throttles the write to the base table, whatever capacity table and index have.",
		Fix:       "Write-shard the index key (date#shard) and read the shards with parallel queries, or keep the time in the index's sort key.",
		Threshold: "as key-time-bucket, for writes that reach the index",
		Source:    "DynamoDB Developer Guide, \"Understanding GSI throttling and back pressure\" and \"Using Global Secondary Index write sharding for selective table queries\"",
		Since:     "0.1",
		Bad:       "key = { orderId = \"{orderId}\", GSI1PK = \"{yyyy-mm-dd}\" }",
		Good:      "key = { orderId = \"{orderId}\", GSI1PK = \"STORE#{storeId}\" }",
	},
}

func checkKeyTimeBucketGSI(p *Pass) {
	for _, ix := range p.keyedGSIs() {
		p.timeBuckets(ix, ix.Key)
	}
}
