package rules

// nearItem is the bytes from which an item is near the limit: 80 %.
const nearItem = maxItem * 8 / 10

var itemNear400KB = &Rule{
	ID:       "item-near-400kb",
	Severity: Warning,
	Needs:    Definition,
	Either:   Data | Items,
	Check:    checkItemNear400KB,
	Doc: Doc{
		Summary:   "items come near the 400 KB that DynamoDB accepts",
		Why:       "The next attribute, or a longer value, makes the write fail; and every write of such an item takes hundreds of write units at once.",
		Fix:       "Split the item, or keep the payload in S3 and its key in the item.",
		Threshold: "from 320 KB (80 % of 400 KB), names included; over 400 KB it is item-over-400kb",
		Source:    "DynamoDB Developer Guide, \"Constraints in DynamoDB\" and \"Best practices for storing large items and attributes\"",
		Since:     "0.1",
		Bad:       "item_size = { p50 = \"90KB\", p99 = \"200KB\", max = \"350KB\" }",
		Good:      "item_size = { p50 = \"2KB\", p99 = \"6KB\", max = \"40KB\" }",
	},
}

func checkItemNear400KB(p *Pass) {
	for _, e := range p.Table.Entities.Items {
		bytes, at, how, known := largestItem(e)
		switch {
		case !known:
			p.Skip(entityName(e), "item_size of "+quoted(entityName(e)))
		case bytes >= nearItem && bytes <= maxItem:
			p.Report(Finding{
				Known: Estimated, At: at, Entity: entityName(e),
				Message: "items of " + quoted(entityName(e)) + " reach " + number(bytes) + " B (" + how + "), " + percent(bytes/maxItem) +
					" of the limit of 409,600 B (400 KB); " + writeText(p.Table, bytes),
				Numbers: []Number{{"bytes", bytes}, {"limit_bytes", maxItem}, {"write_units", steps(bytes, 1024)}},
			})
		}
	}
	if pr := p.Table.Profile; pr != nil && pr.Size[3] >= nearItem && pr.Size[3] <= maxItem {
		n := float64(pr.Size[3])
		p.Report(Finding{
			Known:   Sampled,
			Message: "the largest of " + number(float64(pr.Items)) + " items has " + number(n) + " B, " + percent(n/maxItem) + " of the limit of 409,600 B (400 KB)",
			Numbers: []Number{{"bytes", n}, {"limit_bytes", maxItem}},
		})
	}
	for _, g := range p.growths() {
		if final := g.final(); g.bounded && final >= nearItem && final <= maxItem {
			p.Report(Finding{
				Known: Estimated, At: g.pattern.Appends.At, Pattern: patternName(g.pattern), Attribute: g.attribute,
				Message: "access pattern " + quoted(patternName(g.pattern)) + " appends to " + quoted(g.attribute) + " until the item has " +
					byteSize(final) + ", " + percent(final/maxItem) + " of the limit of 400 KB",
				Numbers: []Number{{"bytes", final}, {"limit_bytes", maxItem}},
			})
		}
	}
}
