package rules

// largeItem is the bytes over which an item is large.
const largeItem = 100 * 1024

var itemLarge = &Rule{
	ID:       "item-large",
	Severity: Warning,
	Needs:    Definition,
	Either:   Data | Items,
	Check:    checkItemLarge,
	Doc: Doc{
		Summary:   "items are large",
		Why:       "A read or an update of one attribute is billed for the whole item, and a Query page of 1 MB holds few of them.",
		Fix:       "Part the item vertically: what is read together in one item, the rest in others of the same collection or in S3.",
		Threshold: "p99 over 100 KB (near 400 KB it is item-near-400kb)",
		Source:    "DynamoDB Developer Guide, \"Best practices for storing large items and attributes\"; 100 KB: AWS MCP data-modelling guidance",
		Since:     "0.1",
		Bad:       "item_size = { p50 = \"20KB\", p99 = \"150KB\" }",
		Good:      "item_size = { p50 = \"1.2KB\", p99 = \"6KB\" }",
	},
}

func checkItemLarge(p *Pass) {
	for _, e := range p.Table.Entities.Items {
		v := e.Size.P99
		if !p.sizesKnown(e, "p99 of item_size", v) {
			continue
		}
		n, _ := v.Get()
		if n <= largeItem || n >= nearItem {
			continue
		}
		p.Report(Finding{
			Known: Estimated, At: v.At, Entity: entityName(e),
			Message: "items of " + quoted(entityName(e)) + " have a p99 of " + number(float64(n)) + " B (over 100 KB); " + writeText(p.Table, float64(n)),
			Numbers: []Number{{"p99_bytes", float64(n)}, {"bound_bytes", largeItem}, {"write_units", steps(float64(n), 1024)}},
		})
	}
	if pr := p.Table.Profile; pr != nil && pr.Size[2] > largeItem && pr.Size[2] < nearItem {
		p.Report(Finding{
			Known:   Sampled,
			Message: "the p99 of " + number(float64(pr.Items)) + " items is " + number(float64(pr.Size[2])) + " B (over 100 KB)",
			Numbers: []Number{{"p99_bytes", float64(pr.Size[2])}, {"bound_bytes", largeItem}},
		})
	}
}
