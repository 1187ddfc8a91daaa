package rules

var keySkewDeclared = &Rule{
	ID:       "key-skew-declared",
	Severity: Warning,
	Needs:    Data | Patterns,
	Check:    checkKeySkewDeclared,
	Doc: Doc{
		Summary:   "the busiest partition key value takes a large part of what one partition serves",
		Why:       "One key value serves 1,000 WCU and 3,000 RCU a second. Adaptive capacity isolates a busy key but does not lift that ceiling, and neither does a change of the capacity mode.",
		Fix:       "Shard the busy key, cache its reads, or split the item.",
		Threshold: "declared busiest share × declared peak: note from 10 % of 1,000 WCU/s or 3,000 RCU/s, warning from 50 %, error from 100 %. Keys of fewer than 100 values are key-low-cardinality's",
		Source:    "DynamoDB Developer Guide, \"Best practices for designing and using partition keys effectively\" and \"Burst and adaptive capacity\"",
		Since:     "0.1",
		Bad:       "busiest = { tenantId = 0.6 }   # with rate = { peak = 2_000 }",
		Good:      "busiest = { tenantId = 0.01 }  # with rate = { peak = 2_000 }",
	},
}

func checkKeySkewDeclared(p *Pass) {
	if !p.Table.Key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	for _, u := range partitionsOf(p.Table, nil) {
		if _, values := u.distinctValues(); values < fewValues || len(u.places) == 0 || u.timed() || u.sharded() {
			continue // another rule's
		}
		tr := p.keyTraffic(nil, u.entity)
		if _, _, declared := u.busiestShare(); u.own && !declared {
			tr.dropInserts()
		}
		tr.unsure = append(tr.unsure, tr.unread...)
		p.skew(&u, tr)
	}
}

// dropInserts takes new items out: each has a key value of its own.
func (tr *traffic) dropInserts() { tr.write, tr.inserts = tr.write-tr.inserts, 0 }

// skew reports the busiest value of a key of many values.
func (p *Pass) skew(u *partition, tr traffic) {
	lo, hi, declared := u.busiestShare()
	least := heat{write: tr.write * lo, read: tr.read * lo}
	most := heat{write: tr.write * hi, read: tr.read * hi}
	if declared && least.fraction() >= 0.1 {
		p.Report(Finding{
			Severity: least.severity(), Known: Estimated, At: u.at,
			Index: u.indexName(), Attribute: u.subject(), Entity: entityName(u.entity),
			Message: u.where() + ": the busiest value takes " + percent(lo) + " of the traffic of " + quoted(entityName(u.entity)) + ": " + least.text() + u.pressure(p.Table, least),
			Fix:     spreadFix(u, least),
			Numbers: append([]Number{{"busiest_share", lo}}, least.numbers()...),
		})
	}
	if len(tr.unsure) > 0 {
		p.Skip(keySubject(u), tr.unsure...)
	} else if most.fraction() >= 0.1 && lo < hi {
		p.Skip(keySubject(u), "the busiest value's share of "+quotedList(u.names()))
	}
}
