package reports

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

func itoa(n int) string { return strconv.Itoa(n) }

// pipeWidth is the room of a table where no terminal sets one.
const pipeWidth = 120

// gap is the cells between two columns.
const gap = 2

// table writes a table without borders, or a list where the room is narrow.
func (t *textWriter) table(tab Table) {
	if t.style.Width > 0 && t.style.Width < narrow {
		t.asList(tab)
		return
	}
	room := t.style.Width
	if room == 0 {
		room = pipeWidth
	}
	widths := fit(tab, room)
	var out bytes.Buffer
	align := make([]tw.Align, len(tab.Head))
	for i := range align {
		align[i] = tw.AlignLeft
		if i < len(tab.Right) && tab.Right[i] {
			align[i] = tw.AlignRight
		}
	}
	w := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off, ShowHeader: tw.On},
				Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: strings.Repeat(" ", gap), Overwrite: true}),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	w.Header(tab.Head)
	for _, row := range tab.Rows {
		line := make([]string, len(row))
		for i, c := range row {
			parts := wrap(clean(c.Text), widths[i])
			for j := range parts {
				parts[j] = t.paint(parts[j], c.Tone)
			}
			line[i] = strings.Join(parts, "\n")
		}
		_ = w.Append(line) // writes to memory; Render reports what matters
	}
	if err := w.Render(); err != nil {
		t.asList(tab)
		return
	}
	for line := range strings.Lines(out.String()) {
		t.buf.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// fit gives each column its natural width, and takes what is too much from
// the widest columns, never below 12 cells or a column's longest word, which
// stays whole. 0 means no limit for a column.
func fit(tab Table, room int) []int {
	widths, least := make([]int, len(tab.Head)), make([]int, len(tab.Head))
	total := gap * len(widths)
	for i, h := range tab.Head {
		widths[i], least[i] = width(h), max(12, width(h))
		for _, row := range tab.Rows {
			widths[i] = max(widths[i], width(clean(row[i].Text)))
			for _, word := range strings.Fields(clean(row[i].Text)) {
				least[i] = max(least[i], width(word))
			}
		}
		total += widths[i]
	}
	for room > 0 && total > room {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

func (t *textWriter) asList(tab Table) {
	for i, row := range tab.Rows {
		if i > 0 {
			t.buf.WriteByte('\n')
		}
		for j, c := range row {
			if c.Text != "" {
				t.line("  "+tab.Head[j]+": ", c.Text, c.Tone)
			}
		}
	}
}
