package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var gsiWCUBelowBase = &Rule{
	ID: "gsi-wcu-below-base", Severity: Warning, Needs: Definition, Check: checkGSIWCUBelowBase,
	Doc: Doc{
		Summary:   "a global index has less write capacity than its table",
		Why:       "Every write of an indexed item is written to the index too. When the index has no capacity left, the table rejects the write.",
		Fix:       "Give the index at least the table's write capacity, or declare it sparse where few items have its key.",
		Threshold: "index WCU under table WCU; of two scaled ones, the maxima",
		Source:    "DynamoDB developer guide: GSI (throughput considerations)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\nbilling = \"provisioned\"\nread_capacity = 10\nwrite_capacity = 100\n[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nread_capacity = 10\nwrite_capacity = 20",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nread_capacity = 10\nwrite_capacity = 100",
	},
}

func checkGSIWCUBelowBase(p *Pass) {
	t := p.Table
	if len(t.GSIs.Items) == 0 && t.GSIs.Complete() || !provisioned(p) {
		return
	}
	for _, ix := range p.gsis() {
		if ix.Sparse.Unresolved() {
			p.Skip(ix.DisplayName(), gap("whether the index is sparse", ix.Sparse))
		} else if !source.Is(ix.Sparse, true) {
			compareWrites(p, ix)
		}
	}
}

// compareWrites compares the most that table and index take: of scaled ones
// the maximum, else the fixed capacity. A scaled table over a fixed index is
// compared at its present capacity; gsi-no-autoscaling looks at the rest.
func compareWrites(p *Pass, ix *table.Index) {
	base, own := p.Table.Capacity.Write, ix.Capacity.Write
	baseWhat, ownWhat := "write capacity", "write capacity"
	if target, ok := ix.Scaling.Write.Get(); ok {
		own, ownWhat = target.Max, "auto scaling maximum of writes"
		if target, ok := p.Table.Scaling.Write.Get(); ok {
			base, baseWhat = target.Max, "auto scaling maximum of writes"
		} else if p.Table.Scaling.Write.Unresolved() {
			p.Skip(ix.DisplayName(), gap("auto scaling of the table's write capacity", p.Table.Scaling.Write))
		}
	} else if ix.Scaling.Write.Unresolved() {
		p.Skip(ix.DisplayName(), gap("auto scaling of "+ownWhat, ix.Scaling.Write))
		return
	}
	b, ok := base.Get()
	if !ok {
		p.Skip(ix.DisplayName(), gap(baseWhat+" of the table", base))
		return
	}
	n, ok := own.Get()
	if !ok {
		p.Skip(ix.DisplayName(), gap(ownWhat, own))
		return
	}
	if n >= b {
		return
	}
	p.Report(Finding{
		Index: ix.DisplayName(), At: place(own.At, ix.At),
		Message: fmt.Sprintf("global index %q has a %s of %d WCU, under the table's %s of %d WCU; a full index rejects the table's writes",
			ix.DisplayName(), ownWhat, n, baseWhat, b),
		Numbers: []Number{{"gsi_wcu", float64(n)}, {"table_wcu", float64(b)}},
	})
}
