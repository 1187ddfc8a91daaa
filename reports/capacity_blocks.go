package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ddbvet/cost"
	"ddbvet/internal/table"
)

func rfc3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

var verdictTones = map[cost.Verdict]Tone{
	cost.Switch: Warned, cost.Keep: Good, cost.LeaveAlone: Good, cost.InsufficientData: Dim, cost.FixFirst: Bad,
}

// decisionBlocks is the page of one table: the verdict in a sentence, the
// options with money and throttling, what it rests on and what moves it.
func decisionBlocks(d *cost.Decision) []Block {
	blocks := []Block{Heading{1, d.Table + " in " + d.Region}, Paragraph{verdictLine(d), verdictTones[d.Verdict]}}
	if len(d.Reasons) > 1 {
		var items []Cell
		for _, r := range d.Reasons[1:] {
			items = append(items, Cell{Text: r})
		}
		blocks = append(blocks, Bullets{items})
	}
	if len(d.Options) > 0 {
		blocks = append(blocks, optionBlocks(d)...)
	}
	if d.Recommended != nil && d.Verdict == cost.Switch && len(d.Recommended.Settings) > 0 {
		blocks = append(blocks, Heading{2, "Settings to move to"}, settingsTable(d.Recommended))
	}
	if len(d.Sensitivity) > 0 {
		blocks = append(blocks, Heading{2, "If things change"}, sensitivityTable(d))
		if d.Flip.Text != "" {
			blocks = append(blocks, Paragraph{d.Flip.Text, Plain})
		}
	}
	c := d.Coverage()
	if c.From.IsZero() || !c.To.After(c.From) {
		return blocks
	}
	return append(blocks, Paragraph{fmt.Sprintf("rests on %s days of metrics, %s of the window %s to %s, points of %d s",
		short(c.Days), percentText(c.Share), rfc3339(c.From), rfc3339(c.To), c.PeriodSeconds), Dim})
}

func verdictLine(d *cost.Decision) string {
	verdict := strings.ReplaceAll(string(d.Verdict), "_", " ")
	switch {
	case len(d.Reasons) == 0:
		return verdict
	case strings.HasPrefix(d.Reasons[0], verdict):
		return d.Reasons[0]
	}
	return verdict + ": " + d.Reasons[0]
}

// optionBlocks is the table of the options that matter, today's first and
// then the cheapest first, and below it why the marked ones are out.
func optionBlocks(d *cost.Decision) []Block {
	shown := choose(d)
	t := Table{
		Head:  []string{"", "option", "a month", "low to high", "throttled", "min/week"},
		Right: []bool{false, false, true, true, true, true},
	}
	var out []Cell
	for _, o := range shown {
		mark, tone := "", Plain
		switch {
		case sameOption(d.Recommended, o):
			mark, tone = "→ ", Good
		case o.Rejected != "":
			mark, tone = "✗ ", Dim
			out = append(out, Cell{"✗ " + o.Name + ": " + o.Rejected, Dim})
		}
		if o.Current {
			mark += "now"
		}
		t.Rows = append(t.Rows, []Cell{
			{strings.TrimSpace(mark), tone},
			{o.Name, tone},
			{o.Monthly.Expected.String(), tone},
			{o.Monthly.Low.String() + " – " + o.Monthly.High.String(), Dim},
			{percentText(o.ThrottledShare), tone},
			{short(o.ThrottledWeekly), tone},
		})
	}
	blocks := []Block{Heading{2, "Options"}, t}
	if len(out) > 0 {
		blocks = append(blocks, Bullets{out})
	}
	if n := len(d.Options) - len(shown); n > 0 {
		blocks = append(blocks, Paragraph{count(n, "further option") + " in --format json", Dim})
	}
	return blocks
}

func sameOption(a *cost.Option, b cost.Option) bool {
	return a != nil && a.Name == b.Name && a.Class == b.Class
}

// choose keeps today's option, the recommended one, all of the class of
// those, and the cheapest allowed of the other class.
func choose(d *cost.Decision) []cost.Option {
	class := table.Standard
	if d.Current != nil {
		class = d.Current.Class
	}
	sorted := slices.Clone(d.Options)
	slices.SortStableFunc(sorted, cheaperFirst)
	var shown []cost.Option
	other := false
	for _, o := range sorted {
		switch {
		case o.Current || o.Class == class || sameOption(d.Recommended, o):
			shown = append(shown, o)
		case !other && o.Rejected == "":
			other = true
			shown = append(shown, o)
		}
	}
	return shown
}

func cheaperFirst(a, b cost.Option) int {
	if a.Current != b.Current {
		if a.Current {
			return -1
		}
		return 1
	}
	x, xk := a.Monthly.Expected.Get()
	y, yk := b.Monthly.Expected.Get()
	if !xk || !yk {
		return 0
	}
	return x.Cmp(y)
}

func settingsTable(o *cost.Option) Table {
	t := Table{Head: []string{"of", "reads", "writes"}}
	for _, s := range o.Settings {
		name := "table"
		if s.Index != "" {
			name = "GSI " + s.Index
		}
		t.Rows = append(t.Rows, cells(name, settingText(s.Read), settingText(s.Write)))
	}
	return t
}

func settingText(s cost.Setting) string {
	if s.Scaled() {
		return fmt.Sprintf("%d to %d at %d %%", s.Min, s.Max, s.Target)
	}
	return strconv.FormatInt(s.Units, 10) + " fixed"
}

func sensitivityTable(d *cost.Decision) Table {
	t := Table{
		Head:  []string{"if", "on-demand", "provisioned", "throttled", "cheaper"},
		Right: []bool{false, true, true, true, false},
	}
	for _, r := range d.Sensitivity {
		cheaper := strings.ReplaceAll(r.Cheaper, "_", "-")
		switch {
		case r.Rejected == "":
		case r.Cheaper == "provisioned":
			cheaper += ", but rejected: it " + r.Rejected
		default:
			cheaper += " (provisioned is rejected: it " + r.Rejected + ")"
		}
		t.Rows = append(t.Rows, cells(r.What, r.OnDemand.String(), r.Provisioned.String(), percentText(r.ThrottledShare), cheaper))
	}
	return t
}

func totalBlocks(f fleet, tables int, pricesDate string) []Block {
	var blocks []Block
	if tables > 1 {
		line := count(tables, "table")
		for _, v := range []cost.Verdict{cost.Switch, cost.FixFirst, cost.Keep, cost.LeaveAlone, cost.InsufficientData} {
			if n := f.verdicts[string(v)]; n > 0 {
				line += fmt.Sprintf("; %s %d", strings.ReplaceAll(string(v), "_", " "), n)
			}
		}
		if f.current.Known() {
			line += "; today " + f.current.String() + " a month"
		}
		if f.unpriced > 0 {
			line += fmt.Sprintf("; of %s today's cost is not known", count(f.unpriced, "table"))
		}
		if f.saving.Known() {
			line += "; the switches save " + f.saving.String() + " a month"
		}
		blocks = append(blocks, Heading{1, "Total"}, Paragraph{line, Strong})
	}
	return append(blocks, Paragraph{"prices of " + pricesDate + ", month of 730 hours, no free tier, reservation or savings plan", Dim})
}

// percentText is a share as a percentage with up to two significant decimals.
func percentText(share float64) string {
	switch p := share * 100; {
	case p == 0:
		return "0 %"
	case p < 0.01:
		return "< 0.01 %"
	default:
		return strconv.FormatFloat(p, 'f', decimals(p), 64) + " %"
	}
}

func decimals(p float64) int {
	switch {
	case p >= 10 && p < 99.95 || p >= 99.995:
		return 0
	case p >= 1:
		return 1
	}
	return 2
}

// short is a number with at most one decimal.
func short(f float64) string { return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0") }
