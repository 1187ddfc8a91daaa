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
			p.run()
			p.addArms()
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

// run checks the table, or says what the rule lacks for it.
func (p *Pass) run() {
	if p.rule.Applies != nil && !p.rule.Applies(p.Table) {
		return
	}
	if missing := p.rule.lacking(p.Table); len(missing) > 0 {
		p.Skip("", missing...)
		return
	}
	p.rule.Check(p)
	if len(p.findings)+len(p.skips) == 0 && p.rule.illustrated(p.Table) {
		p.Skip("", "declared entities or a profile of real items (a data model's sample shows only what items look like)")
	}
}

// illustrated tells whether a data model's sample is all that the rule has of
// the items: it can show a fault, but not that there is none.
func (r *Rule) illustrated(t *table.Table) bool {
	return (r.Needs|r.Either)&Items != 0 && t.Profile.Illustrative() && len(t.Entities.Items) == 0
}

// addArms adds what the rule finds only under other values that the table's
// source decides by, and names them: a fault of production must not hide
// behind the default of a development stage.
func (p *Pass) addArms() {
	for _, arm := range p.Table.Arms {
		t := *arm.Table
		t.Entities, t.Patterns, t.Declared = p.Table.Entities, p.Table.Patterns, p.Table.Declared
		t.Profile, t.Metrics = p.Table.Profile, p.Table.Metrics
		other := &Pass{Table: &t, Plans: plan.Table(&t), Book: p.Book, Region: p.Region, rule: p.rule}
		other.run()
		for _, f := range other.findings {
			if slices.ContainsFunc(p.findings, func(g Finding) bool { return g.same(&f) }) {
				continue
			}
			f.Table = p.Table
			f.Message += " (where " + arm.When + ")"
			p.findings = append(p.findings, f)
		}
	}
}

// same tells whether two findings of one rule are about the same thing.
func (f *Finding) same(g *Finding) bool {
	return f.Severity >= g.Severity && f.Index == g.Index && f.Attribute == g.Attribute && f.Pattern == g.Pattern && f.Entity == g.Entity
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
