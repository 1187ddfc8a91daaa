package reports

import (
	"bytes"
	"io"
	"strings"

	"github.com/fatih/color"
)

// narrow is the width under which tables turn into lists.
const narrow = 60

// Text writes a report for a terminal or a pipe.
func Text(w io.Writer, r Report, s Style) error {
	t := textWriter{style: s}
	for i, b := range r.Blocks {
		if i > 0 && t.apart(r.Blocks[i-1], b) {
			t.buf.WriteByte('\n')
		}
		t.block(b)
	}
	_, err := w.Write(t.buf.Bytes())
	return err
}

type textWriter struct {
	buf   bytes.Buffer
	style Style
}

// apart tells whether a blank line stands between two blocks.
func (t *textWriter) apart(before, b Block) bool {
	_, heading := before.(Heading)
	_, p1 := before.(Paragraph)
	_, p2 := b.(Paragraph)
	return !heading && (!p1 || !p2)
}

func (t *textWriter) block(b Block) {
	switch b := b.(type) {
	case Heading:
		t.line("", b.Text, Strong)
	case Paragraph:
		t.line("", b.Text, b.Tone)
	case Bullets:
		for _, it := range b.Items {
			t.line("  • ", it.Text, it.Tone)
		}
	case Code:
		for _, l := range codeLines(b.Text) {
			t.buf.WriteString("    " + t.paint(l, Dim) + "\n")
		}
	case Table:
		t.table(b)
	case Remark:
		t.remark(b)
	}
}

// codeLines are the cleaned lines of a block of code.
func codeLines(text string) []string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(clean(l), " ")
	}
	return lines
}

// line writes a text behind a lead, wrapped, its further lines hanging.
func (t *textWriter) line(lead, text string, tone Tone) {
	indent := strings.Repeat(" ", width(lead))
	n := t.style.Width
	if n > 0 {
		n = max(n-len(indent), 20)
	}
	for i, l := range wrap(clean(text), n) {
		if i > 0 {
			lead = indent
		}
		t.buf.WriteString(lead + t.paint(l, tone) + "\n")
	}
}

// remark writes place, label, name and message as one line that tools can
// match; on a terminal it is wrapped.
func (t *textWriter) remark(r Remark) {
	place := ""
	if r.At.File != nil {
		place = clean(r.At.String()) + ": "
	}
	label := r.Label
	if r.Name != "" {
		label += " " + r.Name
	}
	lead := place + label + ": "
	text := lead + clean(r.Message)
	lines := wrap(text, t.style.Width)
	if len(lines) > 1 && width(lead) < t.style.Width {
		lines = hang(text, t.style.Width)
	}
	if first, ok := strings.CutPrefix(lines[0], lead); ok {
		lines[0] = t.paint(place, Strong) + t.paint(label+":", r.Tone) + " " + first
	}
	t.buf.WriteString(strings.Join(lines, "\n  ") + "\n")
	t.excerpt(r)
	for _, d := range r.Details {
		t.line("  "+d.Label+": ", d.Text, Plain)
	}
}

// hang wraps a text whose further lines stand two cells to the right.
func hang(text string, n int) []string {
	first := wrap(text, n)[0]
	rest := strings.TrimSpace(strings.TrimPrefix(text, first))
	return append([]string{first}, wrap(rest, max(n-2, 20))...)
}

// Of a line of more than longLine characters an excerpt shows the place alone,
// with longBefore characters before it and longShown from it on.
const longLine, longBefore, longShown = 400, 30, 80

// excerpt shows the source line and a caret under the place.
func (t *textWriter) excerpt(r Remark) {
	text := r.At.File.Line(r.At.Start.Line)
	if strings.TrimSpace(text) == "" || strings.ContainsRune(text, 0) { // binary data shows nothing
		return
	}
	runes := []rune(text)
	col := min(max(r.At.Start.Col, 1), len(runes)+1)
	cut := 0 // leading blanks that are left away
	for cut < col-1 && (runes[cut] == ' ' || runes[cut] == '\t') {
		cut++
	}
	before := clean(string(runes[cut : col-1]))
	if len(runes) > longLine {
		// Files that programs write are often one line.
		before = "…" + clean(string(runes[max(cut, col-1-longBefore):col-1]))
		runes = runes[:min(len(runes), col-1+longShown)]
	}
	shown := before + clean(string(runes[col-1:]))
	number := "  " + itoa(r.At.Start.Line) + " │ "
	if n := t.style.Width - width(number); t.style.Width > 0 && width(shown) > n {
		shown = clip(shown, n)
		if width(before) >= n {
			return
		}
	}
	t.buf.WriteString(t.paint(number, Dim) + shown + "\n")
	pad := strings.Repeat(" ", width(number)-2)
	t.buf.WriteString(t.paint(pad+"│ ", Dim) + strings.Repeat(" ", width(before)) + t.paint(t.carets(r, shown, before), r.Tone) + "\n")
}

// carets underlines the span as far as it stands on the line shown.
func (t *textWriter) carets(r Remark, shown, before string) string {
	n := 1
	if r.At.End.Line == r.At.Start.Line && r.At.End.Col > r.At.Start.Col {
		n = r.At.End.Col - r.At.Start.Col
	}
	return strings.Repeat("^", max(1, min(n, width(shown)-width(before))))
}

// clip cuts a text to n cells and marks the cut.
func clip(s string, n int) string {
	if n < 2 {
		return ""
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		w := width(string(r))
		if used+w > n-1 {
			break
		}
		b.WriteRune(r)
		used += w
	}
	return b.String() + "…"
}

func (t *textWriter) paint(s string, tone Tone) string {
	if !t.style.Color || tone == Plain || s == "" {
		return s
	}
	c := color.New(attributes[tone]...)
	c.EnableColor()
	return c.Sprint(s)
}

var attributes = map[Tone][]color.Attribute{
	Dim:    {color.Faint},
	Good:   {color.FgGreen},
	Noted:  {color.FgCyan},
	Warned: {color.FgYellow},
	Bad:    {color.FgRed, color.Bold},
	Strong: {color.Bold},
}
