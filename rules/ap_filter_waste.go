package rules

import (
	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

var apFilterWaste = &Rule{
	ID:       "ap-filter-waste",
	Severity: Warning,
	Needs:    Patterns,
	Check:    checkAPFilterWaste,
	Doc: Doc{
		Summary:   "a filter throws away most of what is read",
		Why:       "A filter is applied after the items are read and billed. What it discards costs as much as what it keeps, and pages fill with nothing.",
		Fix:       "Carry the filter's attribute in the key condition of the table or of an index, or make a sparse index of the items that are kept.",
		Threshold: "the filter keeps under 50 % of the items read and at least one read unit a call is discarded; under 10 % the index for it is worth most. Scans of main paths are ap-scan-hot's",
		Source:    "DynamoDB Developer Guide, \"Filter expressions for the Query operation\"; 50 %: AWS DynamoDB skill, 10 %: AWS MCP data-modelling guidance",
		Since:     "0.1",
		Bad:       "key = \"companyId = :c\"\nfilter = \"status = :s\"\nkeeps = 0.05",
		Good:      "index = \"byCompanyStatus\"\nkey = \"companyId = :c AND status = :s\"",
	},
}

func checkAPFilterWaste(p *Pass) {
	for i := range p.Plans {
		r := &p.Plans[i]
		op, _ := r.Pattern.Operation.Get()
		if r.Pattern.Filter.Absent() || op != table.Query && op != table.Scan {
			continue
		}
		path, _ := r.Pattern.Path.Get()
		if op == table.Scan && path != table.PathAdmin && path != table.PathBatch {
			continue
		}
		p.filter(r)
	}
}

// keeps is the share of items that the filter keeps: declared, or what is
// returned of what is evaluated.
func keeps(r *plan.Result) (share float64, known bool) {
	if k, ok := r.Pattern.Keeps.Get(); ok {
		return k, true
	}
	returned, a := r.Pattern.Returns.Get()
	evaluated, b := r.Evaluated.Get()
	if a && b && evaluated > 0 && returned <= evaluated {
		return returned / evaluated, returned < evaluated
	}
	return 0, false
}

func (p *Pass) filter(r *plan.Result) {
	name := patternName(r.Pattern)
	kept, known := keeps(r)
	if !known {
		p.Skip(name, "the share of items that its filter keeps (keeps)")
		return
	}
	if kept >= 0.5 {
		return
	}
	f := Finding{
		Severity: Warning, Known: Estimated, At: r.Pattern.Filter.At, Pattern: name, Index: knownText(r.Pattern.Index),
		Message: "the filter of access pattern " + quoted(name) + " keeps " + percent(kept) + " of the items read (under 50 %)",
		Fix:     faultFix(p.rule, r),
		Numbers: []Number{{"kept_share", kept}},
	}
	units, unitsKnown := readUnits(p.Table, r)
	bytes, sized := r.Bytes.Get()
	if unitsKnown && sized {
		useful := cost.ReadUnits(bytes*kept, consistency(r.Pattern))
		wasted := units - useful
		if wasted < 1 {
			return // the answer alone costs as much
		}
		f.Message += ": " + number(units) + " read units a call, " + number(useful) + " for what is kept"
		f.Numbers = append(f.Numbers, Number{"read_units", units}, Number{"kept_read_units", useful})
		if avg, ok := averageRate(r.Pattern); ok {
			f.Monthly = p.monthlyUnits(wasted*avg, false)
			if f.Monthly.Known() {
				f.Message += "; what is discarded costs " + f.Monthly.String() + " a month"
			}
		}
	}
	p.Report(f)
}
