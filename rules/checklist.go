package rules

import (
	"slices"
	"strings"

	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// ChecklistItem is one line of the review checklist for one table.
type ChecklistItem struct {
	Item  string
	State State
	Rules []string // that decide it, of those that ran
	Needs []string // with NotEvaluated: what would decide it, sorted
	Table *table.Table
}

// line is one question of the checklist and the rules that answer it. A rule
// that ends with * stands for every rule that begins so.
type line struct {
	item  string
	rules []string
	// deciding rules: without one of them that ran the line cannot pass.
	// None: any of rules decides.
	deciding []string
	// shape: the answer follows from the plans too.
	shape bool
}

// The lines in the order of a review; the last appears where metrics or rates
// are known.
var checklistLines = [...]line{
	{item: "access patterns are written down and each is served", rules: []string{
		"ap-unserved", "ap-filter-on-key", "ap-getitem-on-index", "ap-strong-on-gsi", "gsi-projection-missing",
		"gsi-strong-required", "mgsi-pk-partial", "mgsi-sk-gap", "mgsi-range-not-last", "sk-missing-for-order", "sk-order-attribute-mismatch",
	}},
	{item: "no Scan on a main path", rules: []string{"ap-scan-hot", "ap-scan-measured"}},
	{item: "partition keys have many values and no hot key", rules: []string{
		"key-low-cardinality", "key-boolean-or-status", "key-constant", "key-time-bucket*", "key-skew*", "key-hot*",
		"key-counter-contention", "key-collection-time-append", "key-shards-too-few", "gsi-low-cardinality", "gsi-hot-write",
	}},
	{item: "indexes project only what is read", rules: []string{
		"gsi-projection-all", "gsi-projection-missing", "gsi-projection-unused-attr", "gsi-keysonly-fanout",
	}},
	{item: "reads are eventually consistent unless a reason is given", rules: []string{"ap-strong-default", "ap-strong-on-gsi"}},
	{item: "items are small, large payloads elsewhere", rules: []string{
		"item-over-400kb", "item-near-400kb", "item-large*", "item-unbounded-list", "item-blob",
	}},
	{item: "LSIs only where strong reads need them (and are there from the start)", rules: []string{"lsi-*", "chg-lsi"}},
	{item: "data is shaped as it is read, not normalised", rules: []string{"ap-n-plus-one", "ap-multi-roundtrip", "gsi-identifying-relationship"}, shape: true},
}

// Auto scaling and index capacity can fail this line, but only a rule that
// weighs the mode against the load can pass it.
var capacityLine = line{
	item:  "the capacity mode fits the load",
	rules: []string{"cap-*", "gsi-no-autoscaling", "gsi-wcu-below-base", "gsi-max-throughput-below-base", "gsi-throttled"},
	deciding: []string{
		"cap-ondemand-cheaper", "cap-provisioned-cheaper", "cap-underprovisioned", "cap-overprovisioned", "cap-throttled",
	},
}

// Checklist answers the lines of the review for a table from what its run
// found. A line fails on any finding of its rules at warning or above; notes do
// not fail a line. It is not evaluated when nothing failed but one of its
// rules, or a part of one, could not be decided, or when no rule ran that can
// pass it. It passes otherwise.
func Checklist(t *table.Table, res Result) []ChecklistItem {
	lines := checklistLines[:]
	if t.Metrics != nil || slices.ContainsFunc(t.Patterns.Items, rated) {
		lines = append(slices.Clone(lines), capacityLine)
	}
	out := make([]ChecklistItem, 0, len(lines))
	for _, l := range lines {
		item := l.answer(t, res)
		if l.shape {
			item.judgeShape(res.Plans[t])
		}
		slices.Sort(item.Needs)
		item.Needs = slices.Compact(item.Needs)
		out = append(out, item)
	}
	return out
}

func rated(pt *table.Pattern) bool { return pt.Average.Known() || pt.Peak.Known() }

// answer is the line's state by its rules alone.
func (l line) answer(t *table.Table, res Result) ChecklistItem {
	item := ChecklistItem{Item: l.item, State: Passed, Table: t}
	for _, o := range res.Outcomes {
		if o.Table == t && l.has(o.Rule.ID) {
			item.Rules = append(item.Rules, o.Rule.ID)
		}
	}
	for _, s := range res.Skips {
		if s.Table == t && l.has(s.Rule.ID) {
			item.State = NotEvaluated
			item.Needs = append(item.Needs, s.Needs...)
		}
	}
	if !l.shape && !slices.ContainsFunc(item.Rules, l.decides) {
		item.State = NotEvaluated
		item.Needs = append(item.Needs, l.undecided())
	}
	for _, f := range res.Findings {
		if f.Table == t && f.Severity >= Warning && l.has(f.Rule.ID) {
			item.fail()
			break
		}
	}
	return item
}

func (c *ChecklistItem) fail() { c.State, c.Needs = Fail, nil }

// decides tells whether the rule can pass the line.
func (l line) decides(id string) bool { return len(l.deciding) == 0 || slices.Contains(l.deciding, id) }

// undecided says what would decide a line of which no rule ran that can.
func (l line) undecided() string {
	if len(l.deciding) > 0 {
		return "metrics of the load, which ddbvet capacity weighs"
	}
	return "one of the rules " + strings.Join(l.rules, ", ")
}

func (l line) has(id string) bool {
	return slices.ContainsFunc(l.rules, func(r string) bool {
		lead, open := strings.CutSuffix(r, "*")
		return id == r || open && strings.HasPrefix(id, lead)
	})
}

// judgeShape adds what the plans tell about the shape of the data. A read that
// needs a second request, or several kinds of item that one request cannot
// read, fails. Several kinds read by one request pass it; where no pattern reads
// several kinds and no rule counts round trips, nobody has said what is read
// together, and the line stays open.
func (c *ChecklistItem) judgeShape(plans []plan.Result) {
	joint := false
	for i := range plans {
		r := &plans[i]
		several := len(r.Pattern.Entities.Items) > 1
		switch {
		case r.Access != nil && r.Access.FetchBack, several && r.State == plan.Unserved, secondRequest(r):
			c.fail()
			return
		case r.State != plan.Served:
			c.open("access pattern " + quoted(patternName(r.Pattern)) + " to be served")
		case several && r.Access.Method == table.Query:
			joint = true
		}
	}
	if !joint && len(c.Rules) == 0 {
		c.open("an access pattern that reads several kinds of item together (entities)")
	}
}

// secondRequest tells whether a pattern lacks attributes on its GSI and would
// have to read each item again.
func secondRequest(r *plan.Result) bool {
	return slices.ContainsFunc(r.Faults, func(f plan.Fault) bool { return f.Kind == plan.NotProjected })
}

// open marks the line not evaluated, unless it failed.
func (c *ChecklistItem) open(need string) {
	if c.State == Fail {
		return
	}
	c.State = NotEvaluated
	c.Needs = append(c.Needs, need)
}
