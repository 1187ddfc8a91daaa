package rules

var itemOver400KB = &Rule{
	ID:       "item-over-400kb",
	Severity: Error,
	Needs:    Definition,
	Either:   Data | Items,
	Check:    checkItemOver400KB,
	Doc: Doc{
		Summary:   "items grow over the 400 KB that DynamoDB accepts",
		Why:       "A write that would make an item larger than 400 KB is refused, and for an item that grows by appends every later write is refused with it. All attributes count, with their names.",
		Fix:       "Split the item into several of one collection, or keep the payload in S3 and its key in the item.",
		Threshold: "409,600 B: the declared or sampled largest size, the sum of attribute names and values (3 B a list or map, 1 B an element), or the size after the declared appends",
		Source:    "DynamoDB Developer Guide, \"Constraints in DynamoDB\" and \"DynamoDB item sizes and formats\"",
		Since:     "0.1",
		Bad:       "appends = { attribute = \"messages\", size = \"2KB\", times = 300 }",
		Good:      "key = { PK = \"CHAT#{chatId}\", SK = \"MESSAGE#{messageId}\" }   # one item a message",
	},
}

func checkItemOver400KB(p *Pass) {
	for _, e := range p.Table.Entities.Items {
		bytes, at, how, known := largestItem(e)
		switch {
		case !known:
			p.Skip(entityName(e), "item_size of "+quoted(entityName(e)))
		case bytes > maxItem:
			p.Report(Finding{
				Known: Estimated, At: at, Entity: entityName(e),
				Message: "items of " + quoted(entityName(e)) + " reach " + number(bytes) + " B (" + how + "), over the limit of 409,600 B (400 KB)",
				Numbers: []Number{{"bytes", bytes}, {"limit_bytes", maxItem}},
			})
		}
	}
	if pr := p.Table.Profile; pr != nil && pr.Size[3] > maxItem {
		p.Report(Finding{
			Known:   Sampled,
			Message: "the largest of " + number(float64(pr.Items)) + " items has " + number(float64(pr.Size[3])) + " B, over the limit of 409,600 B (400 KB)",
			Numbers: []Number{{"bytes", float64(pr.Size[3])}, {"limit_bytes", maxItem}},
		})
	}
	for _, g := range p.growths() {
		if g.bounded && g.final() > maxItem {
			p.reportGrowth(g)
		}
	}
}

func (p *Pass) reportGrowth(g growth) {
	f := Finding{
		Known: Estimated, At: g.pattern.Appends.At, Pattern: patternName(g.pattern), Attribute: g.attribute,
		Message: "access pattern " + quoted(patternName(g.pattern)) + " appends " + byteSize(g.step-1) + " × " + number(g.times) + " to " + quoted(g.attribute) +
			": the item passes the limit of 409,600 B (400 KB) at append " + number(g.crossing()) + " and would reach " + byteSize(g.final()),
		Numbers: []Number{{"bytes", g.final()}, {"limit_bytes", maxItem}, {"crossing_append", g.crossing()}},
	}
	if g.entity != nil {
		f.Entity = entityName(g.entity)
	}
	p.Report(f)
}
