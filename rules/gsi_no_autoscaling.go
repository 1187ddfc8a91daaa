package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var gsiNoAutoscaling = &Rule{
	ID: "gsi-no-autoscaling", Severity: Warning, Needs: Definition, Check: checkGSINoAutoscaling,
	Doc: Doc{
		Summary:   "the table scales and its global index does not",
		Why:       "A GSI has its own capacity and its own scalable target. When the table scales out and the index stays, the index rejects writes and with them the table's writes.",
		Fix:       "Register a scalable target table/NAME/index/INDEX with the table's bounds.",
		Threshold: "an index without a target under a scaled table; an error when its fixed writes are under the table's maximum",
		Source:    "DynamoDB developer guide: CostOptimization_RightSizedProvisioning, GSI (throughput considerations)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\nbilling = \"provisioned\"\nwrite_capacity = 10\nautoscaling = { write = { min = 10, max = 500, target = 70 } }\n[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nwrite_capacity = 5",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nwrite_capacity = 10\nautoscaling = { write = { min = 10, max = 500, target = 70 } }",
	},
}

func checkGSINoAutoscaling(p *Pass) {
	t := p.Table
	if len(t.GSIs.Items) == 0 && t.GSIs.Complete() || !provisioned(p) {
		return
	}
	for _, ix := range p.gsis() {
		checkIndexScaling(p, ix)
	}
}

func checkIndexScaling(p *Pass, ix *table.Index) {
	t := p.Table
	var bare armGroup
	for _, pair := range []struct{ base, own arm }{
		{arm{write: false, scaling: t.Scaling.Read}, arm{ix, false, "", ix.At, ix.Capacity.Read, ix.Scaling.Read}},
		{arm{write: true, scaling: t.Scaling.Write}, arm{ix, true, "", ix.At, ix.Capacity.Write, ix.Scaling.Write}},
	} {
		switch {
		case pair.base.scaling.Absent() || pair.own.scaling.Known():
		case pair.own.scaling.Unresolved():
			p.Skip(ix.DisplayName(), gap("auto scaling of "+pair.own.String(), pair.own.scaling))
		case pair.base.scaling.Unresolved():
			p.Skip(ix.DisplayName(), gap("auto scaling of the table's "+pair.own.String(), pair.base.scaling))
		default:
			bare = append(bare, pair.own)
		}
	}
	if len(bare) == 0 {
		return
	}
	f := Finding{
		Index: ix.DisplayName(), At: bareCapacityPlace(t, bare),
		Message: fmt.Sprintf("the table scales and global index %q does not: its %s has no scalable target (%s)",
			ix.DisplayName(), joinArms(bare), bare[0].scalable(t)),
	}
	for _, a := range bare {
		if n, ok := a.capacity.Get(); ok {
			f.Numbers = append(f.Numbers, Number{"gsi_" + a.unit() + "_capacity", float64(n)})
		}
	}
	if last := bare[len(bare)-1]; last.write {
		raiseForWrites(t, last, &f)
	}
	p.Report(f)
}

// raiseForWrites makes the finding an error where the table can scale its
// writes above what the index takes. A sparse index takes fewer writes.
func raiseForWrites(t *table.Table, a arm, f *Finding) {
	own, ok := a.capacity.Get()
	target, _ := t.Scaling.Write.Get()
	most, known := target.Max.Get()
	if !ok || !known || own >= most || source.Is(a.index.Sparse, true) {
		return
	}
	f.Severity = Error
	f.At = place(a.capacity.At, f.At)
	f.Numbers = append(f.Numbers, Number{"table_write_max", float64(most)})
	f.Message += fmt.Sprintf("; its fixed %d WCU are under the table's %d, so base writes will throttle", own, most)
}
