package rules

import (
	"slices"
	"strings"

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
	if ix == nil || !source.Is(r.Pattern.Operation, table.Query) {
		return false // only a Query reads by an index's key
	}
	switch f.Kind {
	case plan.PartitionMissing:
		lacking := 0
		for _, o := range r.Faults {
			if o.Kind == plan.PartitionMissing {
				lacking++
			}
		}
		return lacking < len(ix.Key.Partition()) // where none is given the index is the wrong one
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
		partial := false
		for _, f := range r.Faults {
			if want(r, f) && f.Kind == plan.PartitionMissing && partial {
				p.findings[len(p.findings)-1].Message += "; " + f.Message
			} else if want(r, f) {
				partial = f.Kind == plan.PartitionMissing
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
// else, for what only another key can serve, the cheapest change.
func faultFix(rule *Rule, r *plan.Result) string {
	fix := rule.Doc.Fix
	switch {
	case len(r.Others) > 0:
		fix += " " + accessText(r.Others[0])
	case len(r.Changes) > 0 && strings.HasPrefix(rule.ID, "mgsi-"):
		fix += " Cheapest: " + changeText(r.Changes[0])
	}
	return fix
}

// accessText says which existing key or index serves a pattern, and how.
func accessText(a *plan.Access) string {
	text := "The table's own key"
	if a.Index != nil {
		text = "The existing index " + quoted(a.Index.DisplayName())
	}
	text += " serves it with a " + a.Method
	if a.Condition != "" {
		text += " on " + a.Condition
	}
	if !a.Exact {
		text += ", with a filter for the rest"
	}
	if a.FetchBack && !slices.Contains(a.Missing, "*") {
		text += " and a second request (BatchGetItem) for " + quotedList(a.Missing)
	} else if a.FetchBack {
		text += " and a second request (BatchGetItem) for the whole items"
	}
	return text + "."
}

// changeText is a change with what it asks of existing items.
func changeText(c plan.Change) string {
	text := strings.TrimSuffix(c.Text, ".") + "."
	if c.Backfill && c.Kind != "base-key" { // whose text says that every item is written again
		text += " Existing items must be backfilled by the application."
	}
	return text
}

func knownText(v source.Value[string]) string {
	s, _ := v.Get()
	return s
}
