package rules

import (
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var apStrongDefault = &Rule{
	ID:       "ap-strong-default",
	Severity: Warning,
	Needs:    Patterns,
	Check:    checkAPStrongDefault,
	Doc: Doc{
		Summary:   "a strongly consistent read without a stated reason",
		Why:       "A strong read costs twice an eventual one and is served by one replica of the partition only, so it is slower when that replica is busy.",
		Fix:       "Read eventually (consistent = false), or state with reason why the newest write must be seen.",
		Threshold: "consistent = true and no reason, on a table or a local index (on a global index it is refused: ap-strong-on-gsi)",
		Source:    "DynamoDB Developer Guide, \"DynamoDB read consistency\"",
		Since:     "0.1",
		Bad:       "consistent = true",
		Good:      "consistent = true\nreason = \"a session must see its own write\"",
	},
}

func checkAPStrongDefault(p *Pass) {
	for i := range p.Plans {
		r := &p.Plans[i]
		pt := r.Pattern
		op, _ := pt.Operation.Get()
		switch {
		case table.Writes(op) || table.Transactional(op):
		case pt.Consistent.Unresolved():
			p.Skip(patternName(pt), "whether it reads consistently (unresolved: "+pt.Consistent.Why+")")
		case pt.Reason.Unresolved():
			p.Skip(patternName(pt), "its reason (unresolved: "+pt.Reason.Why+")")
		case source.Is(pt.Consistent, true) && knownText(pt.Reason) == "" && !refusedStrong(r):
			p.strong(r)
		}
	}
}

// refusedStrong tells whether the read is of a global index.
func refusedStrong(r *plan.Result) bool {
	ix := declaredIndex(r)
	return ix != nil && ix.Kind == table.GSI
}

func (p *Pass) strong(r *plan.Result) {
	name := patternName(r.Pattern)
	f := Finding{
		Known: Proven, At: r.Pattern.Consistent.At, Pattern: name, Index: knownText(r.Pattern.Index),
		Message: "access pattern " + quoted(name) + " reads consistently and states no reason; an eventual read costs half",
	}
	if !f.At.Known() {
		f.At = r.Pattern.At
	}
	if units, ok := readUnits(p.Table, r); ok {
		f.Message += ": " + number(units) + " read units a call, " + number(units/2) + " eventual"
		f.Numbers = []Number{{"read_units", units}, {"eventual_read_units", units / 2}}
		if avg, rated := averageRate(r.Pattern); rated {
			f.Known = Estimated
			f.Monthly = p.monthlyUnits(units/2*avg, false)
			if f.Monthly.Known() {
				f.Message += "; saves " + f.Monthly.String() + " a month"
			}
		}
	}
	p.Report(f)
}
