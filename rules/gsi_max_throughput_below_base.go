package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var gsiMaxThroughputBelowBase = &Rule{
	ID: "gsi-max-throughput-below-base", Severity: Warning, Needs: Definition, Applies: hasGSI, Check: checkGSIMaxThroughput,
	Doc: Doc{
		Summary:   "a global index's on-demand write maximum is under the table's, or under the declared peak",
		Why:       "Writes of indexed items above the index's maximum are rejected, on the table as well.",
		Fix:       "Raise the index's maximum to the table's, or remove it.",
		Threshold: "index maximum under the table's maximum, or under the peak of declared index writes; a table without a maximum is bounded by the peak alone",
		Source:    "DynamoDB developer guide: gsi-throttling, on-demand-capacity-mode-max-throughput",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\nbilling = \"on-demand\"\nmax_write = 1000\n[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nmax_write = 100",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nmax_write = 1000",
	},
}

func checkGSIMaxThroughput(p *Pass) {
	t := p.Table
	for _, ix := range p.gsis() {
		limit := ix.MaxOnDemand.Write
		switch {
		case limit.Absent() || source.Is(limit, -1): // -1 removes a maximum
		case !t.Billing.Known():
			p.Skip(ix.DisplayName(), gap("billing mode", t.Billing))
		case source.Is(t.Billing, table.Provisioned):
		case limit.Unresolved():
			p.Skip(ix.DisplayName(), gap("on-demand write maximum", limit))
		default:
			judgeMaximum(p, ix)
		}
	}
}

func judgeMaximum(p *Pass, ix *table.Index) {
	most, _ := ix.MaxOnDemand.Write.Get()
	limit := p.Table.MaxOnDemand.Write
	baseMost, ok := limit.Get()
	bounded := ok && baseMost >= 0
	peak, sure := p.indexPeak(ix)
	f := Finding{Index: ix.DisplayName(), At: place(ix.MaxOnDemand.Write.At, ix.At), Numbers: []Number{{"gsi_max_write", float64(most)}}}
	switch {
	case bounded && most < baseMost && !source.Is(ix.Sparse, true):
		f.Message = fmt.Sprintf("global index %q takes at most %d write units a second, under the table's maximum of %d; above it the table's writes throttle",
			ix.DisplayName(), most, baseMost)
		f.Numbers = append(f.Numbers, Number{"table_max_write", float64(baseMost)})
	case peak > float64(most):
		f.Known = Estimated
		f.Message = fmt.Sprintf("global index %q takes at most %d write units a second and its declared writes peak at %s; above it the table's writes throttle",
			ix.DisplayName(), most, number(peak))
		f.Numbers = append(f.Numbers, Number{"peak_write", peak})
	case limit.Unresolved():
		p.Skip(ix.DisplayName(), gap("on-demand write maximum of the table", limit))
		return
	case bounded && !source.Is(ix.Sparse, true) || sure:
		return
	default:
		p.Skip(ix.DisplayName(), "a write maximum of the table, or access patterns with their peak rates")
		return
	}
	p.Report(f)
}

// indexPeak is the write units a second that the declared patterns put on an
// index at their peaks together, at least; sure when nothing is missing.
func (p *Pass) indexPeak(ix *table.Index) (peak float64, sure bool) {
	sure = len(p.Plans) > 0 && p.Table.Patterns.Complete()
	for i := range p.Plans {
		r := &p.Plans[i]
		op, ok := r.Pattern.Operation.Get()
		if !ok {
			sure = false
			continue
		}
		if !table.Writes(op) {
			continue
		}
		units, known := writeUnits(p.Table, ix, r, op)
		rate, rated := peakRate(r.Pattern)
		sure = sure && known && (rated || units == 0)
		if rated {
			peak += units * rate
		}
	}
	return peak, sure
}
