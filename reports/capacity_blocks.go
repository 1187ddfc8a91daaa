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
		blocks = append(blocks, Heading{2, "Options"}, optionsTable(d))
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
	return append(blocks, Paragraph{fmt.Sprintf("rests on %s days of metrics, %s of the window %s to %s, points of %d s",
		short(c.Days), percentText(c.Share), rfc3339(c.From), rfc3339(c.To), c.PeriodSeconds), Dim})
}

func verdictLine(d *cost.Decision) string {
	line := strings.ReplaceAll(string(d.Verdict), "_", " ")
	if len(d.Reasons) > 0 {
		line += ": " + d.Reasons[0]
	}
	return line
}

// optionsTable lists today's first, then the cheapest first.
func optionsTable(d *cost.Decision) Table {
	t := Table{
		Head:  []string{"", "option", "class", "a month", "low to high", "throttled", "min/week", "why not"},
		Right: []bool{false, false, false, true, true, true, true, false},
	}
	sorted := slices.Clone(d.Options)
	slices.SortStableFunc(sorted, func(a, b cost.Option) int {
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
	})
	for _, o := range sorted {
		mark, tone := "", Plain
		switch {
		case d.Recommended != nil && d.Recommended.Name == o.Name && d.Recommended.Class == o.Class:
			mark, tone = "→", Good
		case o.Rejected != "":
			mark, tone = "✗", Dim
		}
		if o.Current {
			mark += "now"
		}
		t.Rows = append(t.Rows, []Cell{{mark, tone}, {o.Name, tone}, {classText(o.Class), tone}, {o.Monthly.Expected.String(), tone},
			{o.Monthly.Low.String() + " – " + o.Monthly.High.String(), Dim}, {percentText(o.ThrottledShare), tone},
			{short(o.ThrottledWeekly), tone}, {o.Rejected, Dim}})
	}
	return t
}

func classText(class string) string {
	if class == table.InfrequentAccess {
		return "IA"
	}
	return "Standard"
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
		if r.Rejected != "" {
			cheaper += " (provisioned fails: " + r.Rejected + ")"
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
			line += fmt.Sprintf(" without %s of unknown cost", count(f.unpriced, "table"))
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
