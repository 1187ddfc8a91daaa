package rules

import (
	"slices"

	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// ownFaults are the kinds of fault that have a rule of their own; ap-unserved
// reports what is left.
var ownFaults = []plan.FaultKind{plan.FilterOnKey, plan.StrongOnGSI, plan.GetOnIndex, plan.NotProjected}

// owned tells whether a rule of its own reports the fault.
func owned(r *plan.Result, f plan.Fault) bool {
	return slices.Contains(ownFaults, f.Kind) || mgsiFault(r, f)
}

// mgsiFault tells whether the fault is about a multi-attribute key.
func mgsiFault(r *plan.Result, f plan.Fault) bool {
	ix := declaredIndex(r)
	if ix == nil {
		return false
	}
	switch f.Kind {
	case plan.PartitionMissing:
		return len(ix.Key.Partition()) > 1
	case plan.SortGap, plan.RangeNotLast:
		return len(ix.Key.Sort()) > 1
	}
	return false
}

// declaredIndex is the index that the pattern names, or nil.
func declaredIndex(r *plan.Result) *table.Index {
	name, ok := r.Pattern.Index.Get()
	if !ok || r.Table == nil {
		return nil
	}
	return r.Table.IndexNamed(name)
}

// faultPlace is where a fault stands: its own place, else the pattern's.
func faultPlace(r *plan.Result, f plan.Fault) source.Span {
	if f.At.Known() {
		return f.At
	}
	return r.Pattern.At
}

// reportFaults reports every fault that want accepts, and skips the patterns
// that could not be planned.
func (p *Pass) reportFaults(what string, want func(*plan.Result, plan.Fault) bool) {
	for i := range p.Plans {
		r := &p.Plans[i]
		for _, f := range r.Faults {
			if want(r, f) {
				p.Report(Finding{
					At: faultPlace(r, f), Pattern: patternName(r.Pattern), Attribute: f.Attribute,
					Index:   knownText(r.Pattern.Index),
					Message: "access pattern " + quoted(patternName(r.Pattern)) + " " + what + ": " + f.Message,
					Fix:     faultFix(p.rule, r),
				})
			}
		}
		if r.State == plan.Unknown && !slices.ContainsFunc(r.Faults, func(f plan.Fault) bool { return want(r, f) }) {
			p.Skip(patternName(r.Pattern), r.Needs...)
		}
	}
}

// faultFix is the rule's advice with the way that the table already offers, or
// else the cheapest change.
func faultFix(rule *Rule, r *plan.Result) string {
	fix := rule.Doc.Fix
	switch {
	case len(r.Others) > 0:
		fix += " " + accessText(r.Others[0])
	case len(r.Changes) > 0:
		fix += " Cheapest: " + changeText(r.Changes[0])
	}
	return fix
}

// accessText says which existing key or index serves a pattern, and how.
func accessText(a *plan.Access) string {
	where := "The table's own key serves it"
	if a.Index != nil {
		where = "The existing index " + quoted(a.Index.DisplayName()) + " serves it"
	}
	where += " with a " + a.Method
	if a.Condition != "" {
		where += " on " + a.Condition
	}
	if !a.Exact {
		where += ", with a filter for the rest"
	}
	return where + "."
}

// changeText is a change with what it asks of existing items.
func changeText(c plan.Change) string {
	if c.Backfill {
		return c.Text + " Existing items must be backfilled by the application."
	}
	return c.Text
}

func knownText(v source.Value[string]) string {
	s, _ := v.Get()
	return s
}
