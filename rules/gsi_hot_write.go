package rules

var gsiHotWrite = &Rule{
	ID:       "gsi-hot-write",
	Severity: Warning,
	Needs:    Data | Patterns,
	Applies:  hasGSIs,
	Check:    checkGSIHotWrite,
	Doc: Doc{
		Summary:   "the busiest partition key value of a global secondary index takes a large part of what one partition writes",
		Why:       "Index writes of one key value are limited to 1,000 WCU a second. When they throttle, DynamoDB throttles the writes to the base table; on-demand mode and adaptive capacity do not lift the limit of one value.",
		Fix:       "Write-shard the index key, or make the index sparse.",
		Threshold: "declared busiest share × declared peak of the index writes: note from 10 % of 1,000 WCU/s, warning from 50 %, error from 100 %. Keys of fewer than 100 values are gsi-low-cardinality's",
		Source:    "DynamoDB Developer Guide, \"Understanding GSI throttling and back pressure\" and \"Using Global Secondary Index write sharding for selective table queries\"",
		Since:     "0.1",
		Bad:       "busiest = { topic = 0.8 }   # gsi byTopic, PutItem at a peak of 2,000/s",
		Good:      "busiest = { topic = 0.02 }  # gsi byTopic, PutItem at a peak of 2,000/s",
	},
}

func checkGSIHotWrite(p *Pass) {
	for _, ix := range p.keyedGSIs() {
		for _, u := range partitionsOf(p.Table, ix) {
			if _, values := u.distinctValues(); values < fewValues || u.timed() || u.sharded() {
				continue // another rule's
			}
			tr := p.trafficOn(ix, u.entity)
			tr.read = 0 // a hot read of an index holds back no write
			p.skew(&u, tr)
		}
	}
}
