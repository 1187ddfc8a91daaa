package rules

import "fmt"

var lsiUsed = &Rule{
	ID: "lsi-used", Severity: Note, Needs: Definition, Applies: hasLSI, Check: checkLSIUsed,
	Doc: Doc{
		Summary:   "the table has a local secondary index",
		Why:       "A local index exists from the table's creation to its end, caps each partition key value at 10 GB with its entries, and keeps DynamoDB from splitting a busy item collection.",
		Fix:       "Prefer a global secondary index unless a pattern needs strongly consistent reads of the index.",
		Threshold: "any local index",
		Source:    "DynamoDB developer guide: LSI, bp-indexes-general, burst-adaptive-capacity",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"",
		Good:      "[[table.gsi]]\nname = \"byDate\"\npartition_key = \"tenantId:S\"\nsort_key = \"date:S\"",
	},
}

func checkLSIUsed(p *Pass) {
	if gaps := listGaps("lsis", p.Table.LSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, ix := range p.Table.LSIs.Items {
		p.Report(Finding{
			Index: ix.DisplayName(), At: ix.At,
			Message: fmt.Sprintf("local index %q cannot be added or removed later, caps each item collection at 10 GB and keeps it from being split", ix.DisplayName()),
			Numbers: []Number{{"limit_gb", 10}},
		})
	}
}
