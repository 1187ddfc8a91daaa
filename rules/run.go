package rules

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// State is how a rule ends on a table.
type State string

// The three ends. A rule that found something and could not decide about
// something else has failed.
const (
	Passed       State = "pass"
	Fail         State = "fail"
	NotEvaluated State = "not_evaluated"
)

// Outcome is one rule's end on one table.
type Outcome struct {
	Rule  *Rule
	Table *table.Table
	State State
}

// Options are the settings of a run.
type Options struct {
	Book   *cost.Book
	Region func(*table.Table) string // whose prices count for a table; "" when not known
}

// Result is what a run found, in a stable order.
type Result struct {
	Findings []Finding
	Skips    []Skip
	Outcomes []Outcome
	Plans    map[*table.Table][]plan.Result // of each table's patterns, in their order
}

// Run runs every rule on every table. Plans are made here, once a table.
func Run(tables []*table.Table, rules []*Rule, o Options) Result {
	res := Result{Plans: map[*table.Table][]plan.Result{}}
	for _, t := range tables {
		region := ""
		if o.Region != nil {
			region = o.Region(t)
		}
		plans := plan.Table(t)
		res.Plans[t] = plans
		for _, r := range rules {
			p := &Pass{Table: t, Plans: plans, Book: o.Book, Region: region, rule: r}
			if r.Applies == nil || r.Applies(t) {
				if missing := r.lacking(t); len(missing) > 0 {
					p.Skip("", missing...)
				} else {
					r.Check(p)
				}
			}
			state := Passed
			switch {
			case len(p.findings) > 0:
				state = Fail
			case len(p.skips) > 0:
				state = NotEvaluated
			}
			res.Findings = append(res.Findings, p.findings...)
			res.Skips = append(res.Skips, p.skips...)
			res.Outcomes = append(res.Outcomes, Outcome{r, t, state})
		}
	}
	slices.SortStableFunc(res.Findings, compareFindings)
	return res
}

// lacking names the evidence that the rule needs and the table does not have.
func (r *Rule) lacking(t *table.Table) []string {
	missing := lacking(t, r.Needs)
	if r.Either != 0 {
		if either := lacking(t, r.Either); len(either) == bits.OnesCount8(uint8(r.Either)) {
			missing = append(missing, strings.Join(either, " or "))
		}
	}
	return missing
}

// lacking names the kinds of evidence that the table does not have.
func lacking(t *table.Table, needs Evidence) (missing []string) {
	if needs&Patterns != 0 && len(t.Patterns.Items) == 0 {
		missing = append(missing, "access patterns")
	}
	if needs&Data != 0 && len(t.Entities.Items) == 0 {
		missing = append(missing, "declared entities")
	}
	if needs&Items != 0 && t.Profile == nil {
		missing = append(missing, "an item profile")
	}
	if needs&Metrics != 0 && t.Metrics == nil {
		missing = append(missing, "metrics")
	}
	return missing
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(fileOf(a), fileOf(b)),
		cmp.Compare(a.At.Start.Line, b.At.Start.Line),
		cmp.Compare(a.At.Start.Col, b.At.Start.Col),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
	)
}

func fileOf(f Finding) string {
	if f.At.File == nil {
		return ""
	}
	return f.At.File.Name
}
