// Package rules judges tables. A rule is data and one function; the engine
// runs each rule on each table and ends in pass, fail or not evaluated. Rules
// read the model, the plans and the cost; they read no files and print nothing.
package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Severity is how bad a finding is.
type Severity int

// The severities in order.
const (
	Note Severity = iota + 1
	Warning
	Error
)

// String is the severity's name in every output.
func (s Severity) String() string {
	return [...]string{"off", "note", "warning", "error"}[s]
}

// Known is how a finding is known. A heuristic finding is never an error; the
// engine lowers it to a note.
type Known string

// The ways of knowing, strongest first.
const (
	Proven    Known = "proven"    // the definition or a hard limit
	Measured  Known = "measured"  // metrics
	Sampled   Known = "sampled"   // items that were looked at
	Estimated Known = "estimated" // declared rates, counts and sizes
	Heuristic Known = "heuristic" // names or shape only
)

// Evidence is a set of kinds of evidence.
type Evidence uint8

// The kinds, named as in the contract of the rules command.
const (
	Definition Evidence = 1 << iota
	Patterns
	Data
	Items
	Metrics
	Calls
	Base
)

var evidenceNames = [...]string{"definition", "patterns", "data", "items", "metrics", "calls", "base"}

// Names lists the kinds in the set.
func (e Evidence) Names() (names []string) {
	for i, n := range evidenceNames {
		if e&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// Rule is one checkable fault.
type Rule struct {
	ID       string
	Severity Severity // the usual one; findings may differ
	Needs    Evidence // without any of these the rule is not evaluated
	Either   Evidence // at least one of these is needed too; 0: none
	Presets  []string // presets that run it; nil: every preset
	Preview  bool
	// Applies tells whether the table has what the rule judges (a local index,
	// say); where it has not the rule passes without evidence. nil: every table.
	Applies func(*table.Table) bool
	Doc     Doc
	Check   func(*Pass)
}

// Doc is a rule's documentation, printed by explain and used by every format.
type Doc struct {
	Summary   string // one line
	Why       string // what goes wrong in production
	Fix       string
	Threshold string // the numbers it decides by
	Source    string // where the threshold comes from
	Since     string
	Bad, Good string // short examples in the design file's language
}

// Number is a fact of a finding in machine-readable form.
type Number struct {
	Name  string // snake_case
	Value float64
}

// Finding is one fault at one place.
type Finding struct {
	Rule      *Rule
	Severity  Severity
	Known     Known
	Table     *table.Table
	Index     string
	Attribute string
	Pattern   string
	Entity    string // the kind of item, where a table's kinds are judged apart
	At        source.Span
	Message   string // names the thing, quotes it, gives number and bound; lower case, no period
	Fix       string // what to do; a sentence
	Numbers   []Number
	Monthly   cost.Money // what the fault costs a month; unknown where it has no price
}

// Fingerprint identifies the finding across runs: rule, account and Region of
// a live table, table, index, attribute, pattern and entity, and no wording or
// line.
func (f *Finding) Fingerprint() string {
	region := ""
	if f.Table.Account != "" {
		region, _ = f.Table.Region.Get()
	}
	parts := []string{f.Rule.ID, f.Table.Account, region, f.Table.DisplayName(), f.Index, f.Attribute, f.Pattern}
	if f.Entity != "" {
		parts = append(parts, f.Entity)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Skip says that a rule was not evaluated on a table, or on one thing of it.
type Skip struct {
	Rule    *Rule
	Table   *table.Table
	Subject string   // index, attribute or pattern; "" for the whole table
	Needs   []string // "access patterns", "distinct values of status", "gsis (unresolved: !Ref X)"
}

// Pass is one rule looking at one table.
type Pass struct {
	Table  *table.Table
	Plans  []plan.Result // of the patterns that name this table, in their order
	Book   *cost.Book
	Region string // whose prices count; "" when not known

	rule     *Rule
	findings []Finding
	skips    []Skip
}

// Report adds a finding. Rule and Table are filled in; zero Severity is the
// rule's own, zero Known is Proven, and a heuristic is lowered to a note.
func (p *Pass) Report(f Finding) {
	f.Rule, f.Table = p.rule, p.Table
	if f.Severity == 0 {
		f.Severity = p.rule.Severity
	}
	if f.Known == "" {
		f.Known = Proven
	}
	if f.Known == Heuristic {
		f.Severity = Note
	}
	if f.Fix == "" {
		f.Fix = p.rule.Doc.Fix
	}
	if !f.At.Known() {
		f.At = p.Table.At
	}
	p.findings = append(p.findings, f)
}

// Skip says what the rule would need to decide about subject ("" for the table).
func (p *Pass) Skip(subject string, needs ...string) {
	p.skips = append(p.skips, Skip{p.rule, p.Table, subject, needs})
}
