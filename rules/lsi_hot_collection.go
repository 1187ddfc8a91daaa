package rules

import (
	"fmt"
	"slices"
)

var lsiHotCollection = &Rule{
	ID: "lsi-hot-collection", Severity: Warning, Needs: Definition | Patterns | Data, Applies: hasLSI, Check: checkLSIHotCollection,
	Doc: Doc{
		Summary:   "a busy partition key value on a table with local indexes",
		Why:       "DynamoDB splits a busy item collection over partitions by its sort key, but never on a table with a local index: one value stays at 1,000 WCU and 3,000 RCU a second.",
		Fix:       "Use a global secondary index instead of the local one, or spread the key over shards.",
		Threshold: "50 % of 1,000 WCU/s or 3,000 RCU/s on the busiest value",
		Source:    "DynamoDB developer guide: burst-adaptive-capacity, bp-partition-key-design",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byType\"\nsort_key = \"type:S\"\n[[table.entity]]\nname = \"Event\"\nbusiest = { tenantId = 0.6 }\n# written 1,000 times a second",
		Good:      "[[table.gsi]]\nname = \"byType\"\npartition_key = \"tenantId:S\"\nsort_key = \"type:S\"",
	},
}

func checkLSIHotCollection(p *Pass) {
	t := p.Table
	if len(t.LSIs.Items) == 0 {
		p.Skip("", listGaps("lsis", t.LSIs)...)
		return
	}
	if gaps := nameGaps(t.Key); len(gaps) > 0 {
		p.Skip("", gaps...)
		return
	}
	for _, u := range partitionsOf(t, nil) {
		if u.needs != "" {
			p.Skip(u.attr, u.needs)
			continue
		}
		judgeHeat(p, u)
	}
}

// judgeHeat weighs the certain load on the busiest value, then the load that
// it may have.
func judgeHeat(p *Pass, u partition) {
	tr := p.trafficOn(nil, u.entity)
	for _, ix := range p.Table.LSIs.Items {
		through := p.trafficOn(ix, u.entity)
		tr.read += through.read
		tr.unread = append(tr.unread, through.unread...)
	}
	lo, hi, declared := u.busiestShare()
	hot := heat{write: tr.write * lo, read: tr.read * lo}
	needs := append(slices.Clone(tr.unsure), tr.unread...)
	most := heat{write: tr.write * hi, read: tr.read * hi}
	switch {
	case hot.fraction() >= 0.5:
		p.Report(Finding{
			Known: Estimated, Attribute: u.attr, Entity: entityName(u.entity), At: firstLSI(p.Table),
			Message: fmt.Sprintf("%s on one value of partition key %q; with %s DynamoDB cannot split the collection",
				hot.text(), u.text, localIndexes(p.Table)),
			Numbers: hot.numbers(),
		})
	case len(needs) > 0:
		p.Skip(u.attr, uniq(needs)...)
	case most.fraction() >= 0.5 && !declared:
		p.Skip(u.attr, "the busiest value's share of "+quotedList(u.names()))
	case most.fraction() >= 0.5:
		p.Skip(u.attr, "the busiest value's share of every part of "+quoted(u.text))
	}
}

func uniq(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}
