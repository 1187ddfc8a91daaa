package rules

import (
	"fmt"

	"ddbvet/internal/table"
)

var defLSINeedsSortKey = &Rule{
	ID: "def-lsi-needs-sort-key", Severity: Error, Needs: Definition, Applies: hasLSI, Check: checkDefLSINeedsSortKey,
	Doc: Doc{
		Summary:   "a local index on a table without a sort key, without one of its own, or with another partition key",
		Why:       "A local index re-sorts the items of one partition key value; without a sort key on both sides, or with another partition key, the table cannot be created.",
		Fix:       "Make it a global secondary index, or give the table a sort key and the index the table's partition key.",
		Threshold: "table and index both have a sort key and share the partition key",
		Source:    "DynamoDB developer guide: LSI",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Users\"\npartition_key = \"userId:S\"\n[[table.lsi]]\nname = \"byStatus\"\nsort_key = \"status:S\"",
		Good:      "[[table]]\nname = \"Users\"\npartition_key = \"userId:S\"\n[[table.gsi]]\nname = \"byStatus\"\npartition_key = \"userId:S\"\nsort_key = \"status:S\"",
	},
}

// hasLSI tells whether the table has or may have a local index.
func hasLSI(t *table.Table) bool { return len(t.LSIs.Items) > 0 || !t.LSIs.Complete() }

func checkDefLSINeedsSortKey(p *Pass) {
	t := p.Table
	if gaps := listGaps("lsis", t.LSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	baseGaps := roleGaps(t.Key)
	for _, ix := range t.LSIs.Items {
		switch {
		case len(t.Key.Sort()) > 0:
		case len(baseGaps) > 0:
			p.Skip(ix.DisplayName(), baseGaps...)
		default:
			p.Report(Finding{
				Index: ix.DisplayName(), At: place(ix.At, ix.Key.At),
				Message: fmt.Sprintf("local index %q is on a table without a sort key; a local index needs one", ix.DisplayName()),
			})
			continue
		}
		checkLSIKey(p, ix)
	}
}

// checkLSIKey judges the index's own key schema.
func checkLSIKey(p *Pass, ix *table.Index) {
	if gaps := roleGaps(ix.Key); len(gaps) > 0 {
		p.Skip(ix.DisplayName(), gaps...)
		return
	}
	if len(ix.Key.Sort()) == 0 {
		p.Report(Finding{
			Index: ix.DisplayName(), At: place(ix.Key.At, ix.At),
			Message: fmt.Sprintf("local index %q has no sort key of its own", ix.DisplayName()),
			Fix:     "Give the index a RANGE attribute to sort by.",
		})
		return
	}
	reportRepeat(p, ix, ix.Key)
	base, own := p.Table.Key.Partition(), ix.Key.Partition()
	if len(own) == 0 {
		p.Report(Finding{
			Index: ix.DisplayName(), At: place(ix.Key.At, ix.At),
			Message: fmt.Sprintf("local index %q has no partition key; it must be the table's", ix.DisplayName()),
		})
		return
	}
	if len(base) != 1 || len(own) != 1 {
		return // another rule's fault
	}
	got, ok := own[0].Name.Get()
	want, known := base[0].Name.Get()
	switch {
	case !known:
		p.Skip(ix.DisplayName(), gap("partition key of the table", base[0].Name))
	case !ok:
		p.Skip(ix.DisplayName(), gap("partition key of the index", own[0].Name))
	case got != want:
		p.Report(Finding{
			Index: ix.DisplayName(), Attribute: got, At: place(own[0].At, own[0].Name.At),
			Message: fmt.Sprintf("local index %q has partition key %q; it must be the table's, %q", ix.DisplayName(), got, want),
		})
	}
}
