package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
	"ddbvet/rules"
)

// Review is what lint found, ready to be reported.
type Review struct {
	Tables     []*table.Table
	Result     rules.Result
	Checklist  []rules.ChecklistItem // of all tables, in their order
	Errors     []*source.Diagnostic
	PricesDate string
	Unmade     []string // tables that are not reviewed because they are not created
	NoRegion   []string // tables whose prices are not known for want of a Region
	StdinName  string   // name of the input that is no file, "" for none
}

type lintJSON struct {
	Schema       string          `json:"schema"`
	Tables       []string        `json:"tables"`
	Findings     []findingJSON   `json:"findings"`
	NotEvaluated []skipJSON      `json:"not_evaluated"`
	Patterns     []patternJSON   `json:"access_patterns"`
	Checklist    []checklistJSON `json:"checklist"`
	Errors       []errorJSON     `json:"errors"`
	Summary      summaryJSON     `json:"summary"`
}

type findingJSON struct {
	Rule          string                 `json:"rule"`
	Severity      string                 `json:"severity"`
	Known         string                 `json:"known"`
	Table         string                 `json:"table"`
	Index         string                 `json:"index"`
	Attribute     string                 `json:"attribute"`
	AccessPattern string                 `json:"access_pattern"`
	Message       string                 `json:"message"`
	Numbers       map[string]json.Number `json:"numbers"`
	MonthlyUSD    *json.Number           `json:"monthly_usd"`
	Fix           string                 `json:"fix"`
	placeJSON
	Fingerprint string `json:"fingerprint"`
}

type skipJSON struct {
	Rule    string   `json:"rule"`
	Table   string   `json:"table"`
	Subject string   `json:"subject"`
	Needs   []string `json:"needs"`
}

type checklistJSON struct {
	Item  string   `json:"item"`
	State string   `json:"state"`
	Rules []string `json:"rules"`
	Needs []string `json:"needs"`
	Table string   `json:"table"`
}

type summaryJSON struct {
	Tables       int    `json:"tables"`
	Errors       int    `json:"error"`
	Warnings     int    `json:"warning"`
	Notes        int    `json:"note"`
	Passed       int    `json:"passed"`
	NotEvaluated int    `json:"not_evaluated"`
	Unreadable   int    `json:"unreadable"`
	PricesDate   string `json:"prices_date"`
}

// Lint reports a review.
func Lint(r Review) Report {
	doc := lintJSON{
		Schema: "ddbvet/lint/v1", Tables: []string{}, Findings: []findingJSON{}, NotEvaluated: []skipJSON{},
		Patterns: patternDocs(r), Checklist: []checklistJSON{}, Errors: errorsJSON(r.Errors), Summary: summary(r),
	}
	for _, t := range r.Tables {
		doc.Tables = append(doc.Tables, t.DisplayName())
	}
	for i := range r.Result.Findings {
		doc.Findings = append(doc.Findings, lintFinding(&r.Result.Findings[i]))
	}
	for _, s := range r.Result.Skips {
		doc.NotEvaluated = append(doc.NotEvaluated, skipJSON{s.Rule.ID, s.Table.DisplayName(), s.Subject, s.Needs})
	}
	for _, c := range r.Checklist {
		doc.Checklist = append(doc.Checklist, checklistJSON{c.Item, string(c.State), notNil(c.Rules), notNil(c.Needs), c.Table.DisplayName()})
	}
	return Report{doc, lintBlocks(r, doc.Summary)}
}

func notNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func lintFinding(f *rules.Finding) findingJSON {
	numbers := map[string]json.Number{}
	for _, n := range f.Numbers {
		if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) { // JSON has neither
			numbers[n.Name] = jsonFloat(n.Value)
		}
	}
	return findingJSON{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Known: string(f.Known), Table: f.Table.DisplayName(),
		Index: f.Index, Attribute: f.Attribute, AccessPattern: f.Pattern, Message: f.Message, Numbers: numbers,
		MonthlyUSD: jsonMoney(f.Monthly), Fix: f.Fix, placeJSON: placeOf(f.At), Fingerprint: f.Fingerprint(),
	}
}

func summary(r Review) summaryJSON {
	s := summaryJSON{Tables: len(r.Tables), Unreadable: len(r.Errors), PricesDate: r.PricesDate}
	for _, f := range r.Result.Findings {
		switch f.Severity {
		case rules.Error:
			s.Errors++
		case rules.Warning:
			s.Warnings++
		case rules.Note:
			s.Notes++
		}
	}
	for _, o := range r.Result.Outcomes {
		switch o.State {
		case rules.Passed:
			s.Passed++
		case rules.NotEvaluated:
			s.NotEvaluated++
		}
	}
	return s
}

func lintBlocks(r Review, s summaryJSON) []Block {
	blocks := errorBlocks(r.Errors)
	for i := range r.Result.Findings {
		blocks = append(blocks, findingBlock(&r.Result.Findings[i]))
	}
	blocks = append(blocks, planBlocks(r)...)
	blocks = append(blocks, checklistBlocks(r)...)
	blocks = append(blocks, skipBlocks(r)...)
	blocks = append(blocks, Heading{1, "Summary"}, Paragraph{summaryLine(s), summaryTone(s)})
	if len(r.Unmade) > 0 {
		blocks = append(blocks, Paragraph{"not reviewed, since its condition is false with these parameters: " + strings.Join(r.Unmade, ", "), Dim})
	}
	if len(r.NoRegion) > 0 {
		blocks = append(blocks, Paragraph{fmt.Sprintf(
			"money is unknown for %s: no Region is stated; give --region, or region in the design file", strings.Join(r.NoRegion, ", ")), Dim})
	} else if len(r.Tables) > 0 {
		blocks = append(blocks, Paragraph{"prices of " + r.PricesDate, Dim})
	}
	return blocks
}

var tones = map[rules.Severity]Tone{rules.Error: Bad, rules.Warning: Warned, rules.Note: Noted}

func findingBlock(f *rules.Finding) Block {
	rm := Remark{At: f.At, Tone: tones[f.Severity], Label: f.Severity.String(), Name: f.Rule.ID, Message: f.Message}
	if f.Fix != "" {
		rm.Details = append(rm.Details, Detail{"fix", f.Fix})
	}
	if f.Monthly.Known() {
		rm.Details = append(rm.Details, Detail{"money", f.Monthly.String() + " a month"})
	}
	if f.Known != rules.Proven {
		rm.Details = append(rm.Details, Detail{"known", string(f.Known)})
	}
	return rm
}

var stateCells = map[rules.State]Cell{
	rules.Passed: {"pass", Good}, rules.Fail: {"fail", Bad}, rules.NotEvaluated: {"not evaluated", Dim},
}

// checklistBlocks is one table a reviewed table: a line, its state, and the
// rules or the missing evidence behind it.
func checklistBlocks(r Review) (blocks []Block) {
	for _, t := range r.Tables {
		tab := Table{Head: []string{"", "checklist", "because of"}}
		for _, c := range r.Checklist {
			if c.Table != t {
				continue
			}
			because := strings.Join(failing(r, t, c.Rules), ", ")
			switch c.State {
			case rules.NotEvaluated:
				because = "needs " + strings.Join(least(c.Needs), ", ")
			case rules.Passed:
				because = ""
			}
			tab.Rows = append(tab.Rows, []Cell{stateCells[c.State], {Text: c.Item}, {because, Dim}})
		}
		if len(tab.Rows) > 0 {
			blocks = append(blocks, Heading{1, "Checklist of " + t.DisplayName()}, tab)
		}
	}
	return blocks
}

// least leaves out a need with alternatives of which one is needed anyway.
func least(needs []string) []string {
	return slices.DeleteFunc(slices.Clone(needs), func(n string) bool {
		one, _, alternative := strings.Cut(n, " or ")
		return alternative && slices.Contains(needs, one)
	})
}

// failing are those of a line's rules that found something worse than a note.
func failing(r Review, t *table.Table, ids []string) (out []string) {
	for _, f := range r.Result.Findings {
		if f.Table == t && f.Severity >= rules.Warning && slices.Contains(ids, f.Rule.ID) && !slices.Contains(out, f.Rule.ID) {
			out = append(out, f.Rule.ID)
		}
	}
	return out
}

// skipBlocks groups what was not evaluated by what it needs, so that one
// missing thing is one line.
func skipBlocks(r Review) []Block {
	byNeed := map[string][]string{}
	var order []string
	for _, s := range r.Result.Skips {
		need := strings.Join(s.Needs, ", ")
		if _, ok := byNeed[need]; !ok {
			order = append(order, need)
		}
		if !slices.Contains(byNeed[need], s.Rule.ID) {
			byNeed[need] = append(byNeed[need], s.Rule.ID)
		}
	}
	if len(order) == 0 {
		return nil
	}
	var items []Cell
	for _, need := range order {
		items = append(items, Cell{"needs " + need + ": " + strings.Join(byNeed[need], ", "), Dim})
	}
	blocks := []Block{Heading{1, "Not evaluated"}, Bullets{items}}
	if hint := designHint(r); hint != "" {
		blocks = append(blocks, Paragraph{hint, Dim})
	}
	return blocks
}

// designHint says where access patterns are declared, with the line that
// joins them to the first table that has none.
func designHint(r Review) string {
	for _, s := range r.Result.Skips {
		if slices.Contains(s.Needs, "access patterns") && s.Table.At.File != nil && !s.Table.Declared {
			file := s.Table.At.File.Name
			if file == r.StdinName {
				file = "FILE" // where it is saved
			}
			return fmt.Sprintf("access patterns, entities and sizes are declared in a design file (*.ddb.toml); its table takes keys and indexes from here with definition = %q",
				file+"#"+s.Table.LogicalName)
		}
	}
	return ""
}

func summaryLine(s summaryJSON) string {
	line := fmt.Sprintf("%s, %s, %s in %s; %d checks passed, %d not evaluated",
		count(s.Errors, "error"), count(s.Warnings, "warning"), count(s.Notes, "note"), count(s.Tables, "table"), s.Passed, s.NotEvaluated)
	if s.Unreadable > 0 {
		line += "; " + count(s.Unreadable, "thing") + " could not be read"
	}
	return line
}

func summaryTone(s summaryJSON) Tone {
	switch {
	case s.Errors > 0 || s.Unreadable > 0:
		return Bad
	case s.Warnings > 0:
		return Warned
	}
	return Good
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
