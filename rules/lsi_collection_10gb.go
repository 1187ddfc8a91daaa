package rules

import (
	"fmt"
	"math"
	"slices"
)

var lsiCollection10GB = &Rule{
	ID: "lsi-collection-10gb", Severity: Error, Needs: Definition, Either: Data | Items, Applies: hasLSI, Check: checkLSICollection,
	Doc: Doc{
		Summary:   "an item collection of a table with local indexes nears 10 GB",
		Why:       "On a table with a local index the items of one partition key value and their index entries together stop at 10 GB; then every write that adds to them fails, and the index cannot be removed. Tables without local indexes have no such limit.",
		Fix:       "Use a global secondary index instead, or split the partition key, in a new table.",
		Threshold: "10 GB now or within 365 days is an error; 8 GB now or 10 GB within 1,095 days a warning (the days are our heuristic)",
		Source:    "DynamoDB developer guide: LSI (item collection size limit)",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byType\"\nsort_key = \"type:S\"\n[[table.entity]]\nname = \"Event\"\nitem_size = \"1KB\"\ngrowth = \"40M/day\"\ndistinct = { tenantId = 1_000 }",
		Good:      "[[table.gsi]]\nname = \"byType\"\npartition_key = \"tenantId:S\"\nsort_key = \"type:S\"",
	},
}

func checkLSICollection(p *Pass) {
	t := p.Table
	if len(t.LSIs.Items) == 0 {
		p.Skip("", listGaps("lsis", t.LSIs)...)
		return
	}
	if reportSampledCollection(p) {
		return
	}
	collections, gaps := collectionsOf(t)
	gaps = append(gaps, nameGaps(t.Key)...)
	for _, c := range collections {
		switch {
		case reportCollection(p, c, false):
		case c.busiest > 0 && reportCollection(p, c.scaledTo(c.busiest), true):
		case c.now.hi >= collectionNear || c.days(collectionLimit).lo <= collectionLater:
			needs := append(slices.Clone(c.needs), listGaps("lsis", t.LSIs)...)
			slices.Sort(needs)
			if needs = slices.Compact(needs); len(needs) == 0 {
				needs = []string{"the largest item collection of " + quoted(c.use.text)}
			}
			p.Skip(c.use.attr, needs...)
		}
	}
	if len(gaps) > 0 || len(collections) == 0 {
		p.Skip("", append(gaps, "declared entities with key, count, item_size and distinct")...)
	}
}

// reportCollection reports what is certain of a collection. Where it is the
// busiest one, whose size is taken from its share of the traffic, the finding
// is a warning at most.
func reportCollection(p *Pass, c *collection, busiest bool) bool {
	days := c.days(collectionLimit).hi
	f := Finding{Known: Estimated, Attribute: c.use.attr, Entity: entityName(c.use.entity), At: firstLSI(p.Table)}
	which := fmt.Sprintf("each item collection of partition key %q", c.use.text)
	if busiest {
		which = fmt.Sprintf("the busiest item collection of partition key %q (%s of the traffic, and of the items if they follow it)",
			c.use.text, percent(c.busiest))
	}
	with := " with the entries of " + localIndexes(p.Table)
	switch {
	case c.now.lo >= collectionLimit:
		f.Message = fmt.Sprintf("%s has %s%s; the limit is 10 GB", which, byteSize(c.now.lo), with)
	case days <= collectionLater:
		if days > collectionSoon {
			f.Severity = Warning
		}
		f.Message = fmt.Sprintf("%s reaches the limit of 10 GB in %s days: %s a day%s", which, number(math.Floor(days)), byteSize(c.daily.lo), with)
		f.Numbers = append(f.Numbers, Number{"days_to_limit", math.Floor(days)}, Number{"bytes_per_day", math.Round(c.daily.lo)})
	case c.now.lo >= collectionNear:
		f.Severity = Warning
		f.Message = fmt.Sprintf("%s has %s%s, over 80 %% of the limit of 10 GB", which, byteSize(c.now.lo), with)
	default:
		return false
	}
	if busiest {
		f.Severity = Warning
	}
	if !math.IsInf(c.now.hi, 1) || c.now.lo > 0 {
		f.Numbers = append(f.Numbers, Number{"collection_bytes", math.Round(c.now.lo)})
	}
	f.Numbers = append(f.Numbers, Number{"limit_bytes", collectionLimit})
	p.Report(f)
	return true
}

// reportSampledCollection judges the largest collection seen in a profile; its
// share of the items is taken to be its share of the bytes.
func reportSampledCollection(p *Pass) bool {
	t := p.Table
	keys := t.Key.Partition()
	if t.Profile == nil || t.Profile.Illustrative() || len(keys) == 0 {
		return false
	}
	name, _ := keys[0].Name.Get()
	k := t.Profile.Key(name)
	size, ok := t.SizeBytes.Get()
	if k == nil || !ok {
		return false
	}
	bytes := float64(size)
	for _, ix := range t.LSIs.Items {
		n, _ := ix.SizeBytes.Get() // an index of unknown size only makes it more
		bytes += float64(n)
	}
	bytes *= k.TopShare
	if bytes < collectionNear {
		return false
	}
	f := Finding{
		Known: Sampled, Attribute: name, At: firstLSI(t),
		Message: fmt.Sprintf("the largest item collection of %q has about %s (%s of %s items sampled) with %s; the limit is 10 GB",
			name, byteSize(bytes), percent(k.TopShare), number(float64(t.Profile.Items)), localIndexes(t)),
		Numbers: []Number{{"collection_bytes", math.Round(bytes)}, {"limit_bytes", collectionLimit}},
	}
	if bytes < collectionLimit {
		f.Severity = Warning
	}
	p.Report(f)
	return true
}
