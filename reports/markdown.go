package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Markdown writes a report as GitHub-flavoured Markdown.
func Markdown(w io.Writer, r Report, _ Style) error {
	var b bytes.Buffer
	for i, block := range r.Blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		markdownBlock(&b, block)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func markdownBlock(b *bytes.Buffer, block Block) {
	switch x := block.(type) {
	case Heading:
		fmt.Fprintf(b, "%s %s\n", strings.Repeat("#", x.Level+1), escape(x.Text))
	case Paragraph:
		fmt.Fprintf(b, "%s\n", emphasis(escape(x.Text), x.Tone))
	case Bullets:
		for _, it := range x.Items {
			fmt.Fprintf(b, "- %s\n", emphasis(escape(it.Text), it.Tone))
		}
	case Code:
		for _, l := range codeLines(x.Text) {
			fmt.Fprintf(b, "    %s\n", l)
		}
	case Table:
		markdownTable(b, x)
	case Remark:
		markdownRemark(b, x)
	}
}

func markdownTable(b *bytes.Buffer, t Table) {
	var rule strings.Builder
	for i, h := range t.Head {
		fmt.Fprintf(b, "| %s ", escape(h))
		if i < len(t.Right) && t.Right[i] {
			rule.WriteString("|--:")
		} else {
			rule.WriteString("|---")
		}
	}
	fmt.Fprintf(b, "|\n%s|\n", rule.String())
	for _, row := range t.Rows {
		for _, c := range row {
			fmt.Fprintf(b, "| %s ", emphasis(escape(c.Text), c.Tone))
		}
		b.WriteString("|\n")
	}
}

func markdownRemark(b *bytes.Buffer, r Remark) {
	fmt.Fprintf(b, "- **%s**", r.Label)
	if r.Name != "" {
		fmt.Fprintf(b, " `%s`", r.Name)
	}
	if r.At.File != nil {
		fmt.Fprintf(b, " %s", code(r.At.String()))
	}
	fmt.Fprintf(b, "\n  %s\n", escape(r.Message))
	for _, d := range r.Details {
		fmt.Fprintf(b, "  - *%s:* %s\n", d.Label, escape(d.Text))
	}
}

func emphasis(s string, t Tone) string {
	if s != "" && (t == Bad || t == Strong) {
		return "**" + s + "**"
	}
	return s
}

// escape makes foreign text plain in Markdown, tables and HTML included. An @
// or a # cannot mention people or issues.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;", "#", "&#35;",
)

func escape(s string) string { return markdownEscapes.Replace(clean(s)) }

// code is an inline code span of foreign text.
func code(s string) string {
	s = clean(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
