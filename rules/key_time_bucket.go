package rules

import "ddbvet/internal/table"

var keyTimeBucket = &Rule{
	ID:       "key-time-bucket",
	Severity: Warning,
	Needs:    Definition,
	Check:    checkKeyTimeBucket,
	Doc: Doc{
		Summary:   "the partition key of a table is a span of time",
		Why:       "Over a year a day has many values, but at any moment all new items go to one of them: the current span takes the whole write load, and the past ones none.",
		Fix:       "Lead with an entity's id and keep the time in the sort key, or add a shard suffix to the span.",
		Threshold: "a key template whose varying parts are spans of time ({date}, {yyyy-mm-dd}, {hour} …), beside parts of few values at most. All writes of a moment count against 1,000 WCU/s: note below half, warning from half or when the rate is not known, error from the whole. By attribute name alone: a note. Unique times and sequences are no spans",
		Source:    "DynamoDB Developer Guide, \"Distributing workload evenly\" (creation date rounded: bad)",
		Since:     "0.1",
		Bad:       "key = { PK = \"OPS_LOG#{yyyy-mm-dd}\", SK = \"{timestamp}\" }",
		Good:      "key = { PK = \"HOST#{hostId}\", SK = \"{timestamp}\" }",
	},
}

func checkKeyTimeBucket(p *Pass) {
	if !p.Table.Key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	p.timeBuckets(nil, p.Table.Key)
}

// timeBuckets judges the partition key of the table (nil) or of an index.
func (p *Pass) timeBuckets(ix *table.Index, key table.Key) {
	uses := partitionsOf(p.Table, ix)
	for _, u := range uses {
		switch {
		case u.needs != "":
			p.Skip(keySubject(&u), u.needs)
		case u.timed() && !u.sharded():
			p.reportTimeBucket(&u)
		case len(u.places) == 1 && u.places[0].period == maybePeriod && !u.own:
			p.hintTime(u.places[0].name, u)
		}
	}
	if parts := key.Partition(); len(uses) == 0 && len(parts) == 1 {
		if n, _ := parts[0].Name.Get(); periodOf(n) != noPeriod {
			p.hintTime(n, partition{index: ix, at: parts[0].At, text: n})
		}
	}
}

// now is the partition as it is at one moment: without its spans of time.
func (u *partition) now() partition {
	v := *u
	v.places = nil
	for _, pl := range u.places {
		if pl.period != surePeriod {
			v.places = append(v.places, pl)
		}
	}
	v.own = false
	return v
}

func (p *Pass) reportTimeBucket(u *partition) {
	now := u.now()
	lo, values := now.distinctValues()
	if lo >= fewValues || declaresAny(&now) && values >= fewValues {
		return // other parts spread the writes of a moment
	}
	tr := p.trafficOn(u.index, u.entity)
	if values >= fewValues { // the other parts' values are not known
		if whole := tr.heat(1); whole.severity() > Note || whole.write >= 0.1*partitionWCU {
			p.Skip(keySubject(u), "distinct values of "+unknownPlaces(&now))
		}
		return
	}
	tr.read, tr.write = 0, tr.write-tr.deletes // neither reads nor deletes need follow the clock
	h, how := now.heatOf(tr)
	msg := u.where() + " is a span of time, so the writes of one moment share "
	if values == 1 {
		msg += "one value"
	} else {
		msg += counted(values, "value") + " (" + how + ")"
	}
	p.Report(Finding{
		Severity: h.severity(), Known: Estimated, At: u.at,
		Index: u.indexName(), Attribute: u.attr, Entity: entityName(u.entity),
		Message: msg + ": " + h.text() + u.pressure(p.Table, h),
		Fix:     spreadFix(u, h),
		Numbers: append([]Number{{"values_at_once", values}}, h.numbers()...),
	})
}

// declaresAny tells whether a part has a declared number of values.
func declaresAny(u *partition) bool {
	for _, pl := range u.places {
		if _, ok := pl.values(); ok {
			return true
		}
	}
	return false
}

// hintTime reports a key that only its name makes a span of time.
func (p *Pass) hintTime(name string, u partition) {
	entity := ""
	if u.entity != nil {
		entity = entityName(u.entity)
	}
	p.Report(Finding{
		Known: Heuristic, At: u.at, Index: u.indexName(), Attribute: name, Entity: entity,
		Message: u.where() + " is named like a span of time; if it is one, all new items share one value (limit 1,000 WCU/s a partition)",
	})
}
