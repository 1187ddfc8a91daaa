package reports

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/source"
)

func render(t *testing.T, w Writer, s Style, blocks ...Block) string {
	t.Helper()
	var b bytes.Buffer
	if err := w(&b, Report{Blocks: blocks}, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func remark() Remark {
	f := source.NewFile("a.yaml", []byte("x: 1\n    Key: \tstatus\n"))
	at := source.Span{File: f, Start: source.Pos{Line: 2, Col: 11}, End: source.Pos{Line: 2, Col: 17}}
	return Remark{At: at, Tone: Bad, Label: "error", Name: "key-low-cardinality", Message: "partition key \"status\" has 3 values", Details: []Detail{{"fix", "shard it"}}}
}

func TestRemarkShowsTheLineAndACaretUnderTheSpan(t *testing.T) {
	want := `a.yaml:2:11: error key-low-cardinality: partition key "status" has 3 values
  2 │ Key:  status
    │       ^^^^^^
  fix: shard it
`
	if diff := cmp.Diff(want, render(t, Text, Style{}, remark())); diff != "" {
		t.Error(diff)
	}
}

// A plan is one line of many kilobytes.
func TestRemarkShowsOnlyThePlaceOfALongLine(t *testing.T) {
	r := remark()
	r.At.File = source.NewFile("plan.json", []byte(strings.Repeat("a", 50000)+"HERE"+strings.Repeat("b", 50000)))
	r.At.Start, r.At.End = source.Pos{Line: 1, Col: 50001}, source.Pos{Line: 1, Col: 50005}
	want := "  1 │ …" + strings.Repeat("a", 30) + "HERE" + strings.Repeat("b", 76) + "\n    │ " + strings.Repeat(" ", 31) + "^^^^\n"
	if out := render(t, Text, Style{}, r); !strings.Contains(out, want) {
		t.Errorf("%s", out)
	}
}

func TestNarrowRemarkStaysWithinTheWidth(t *testing.T) {
	r := remark()
	r.Message = strings.Repeat("many words ", 20)
	r.At.File = source.NewFile("a.yaml", []byte("x: 1\n"+strings.Repeat("k", 10)+strings.Repeat(" long", 60)+"\n"))
	for line := range strings.Lines(render(t, Text, Style{Width: 40}, r)) {
		if n := width(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d cells: %q", n, line)
		}
	}
}

func TestTextNeverCarriesControlBytes(t *testing.T) {
	evil := "a\x1b[31mred\u202egnp\r\nb\x00\u200b"
	out := render(t, Text, Style{}, Heading{1, evil}, Paragraph{evil, Plain}, Bullets{cells(evil)},
		Table{Head: []string{"h"}, Rows: [][]Cell{cells(evil)}}, Code{evil}, Remark{Label: "error", Message: evil})
	for _, r := range out {
		if r != '\n' && (r < ' ' || r == '\u202e' || r == '\u200b' || r == 0x7f) {
			t.Fatalf("%q in %q", r, out)
		}
	}
}

func TestTableFitsTheWidthAndAlignsNumbers(t *testing.T) {
	tab := Table{
		Head: []string{"rule", "what", "cost"}, Right: []bool{false, false, true},
		Rows: [][]Cell{cells("a", strings.Repeat("word ", 30), "$1.00"), cells("bb", "short", "$1,234.00")},
	}
	out := render(t, Text, Style{Width: 80}, tab)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, l := range lines {
		if width(l) > 80 {
			t.Errorf("%d cells: %q", width(l), l)
		}
	}
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, " $1,234.00") || !strings.HasPrefix(last, "bb") {
		t.Errorf("last row %q", last)
	}
	if first := lines[2]; !strings.HasSuffix(first, "    $1.00") {
		t.Errorf("numbers are not right-aligned: %q", first)
	}
}

func TestTableTakesNoRoomFromWordsThatStayWhole(t *testing.T) {
	name := strings.Repeat("x", 40)
	tab := Table{Head: []string{"rule", "what"}, Rows: [][]Cell{cells(name, strings.Repeat("word ", 10))}}
	for l := range strings.Lines(render(t, Text, Style{Width: 60}, tab)) {
		if width(strings.TrimSuffix(l, "\n")) > 60 {
			t.Errorf("%d cells: %q", width(l)-1, l)
		}
	}
}

func TestTableUnderSixtyColumnsIsAList(t *testing.T) {
	tab := Table{Head: []string{"rule", "cost"}, Rows: [][]Cell{cells("a", "$1.00")}}
	if got, want := render(t, Text, Style{Width: 59}, tab), "  rule: a\n  cost: $1.00\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColorOnlyWhenAsked(t *testing.T) {
	if out := render(t, Text, Style{}, remark()); strings.Contains(out, "\x1b") {
		t.Errorf("escape in %q", out)
	}
	if out := render(t, Text, Style{Color: true}, remark()); !strings.Contains(out, "\x1b[31;1merror key-low-cardinality:") {
		t.Errorf("no colour in %q", out)
	}
}

func TestMarkdownEscapesForeignText(t *testing.T) {
	out := render(t, Markdown, Style{}, Table{Head: []string{"h"}, Rows: [][]Cell{cells("a|b\n<img src=x> @you `c` *d* [e](f) #1 _g_")}})
	want := "| h |\n|---|\n| a\\|b &lt;img src=x&gt; &#64;you \\`c\\` \\*d\\* \\[e\\](f) &#35;1 \\_g\\_ |\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownRemark(t *testing.T) {
	want := "- **error** `key-low-cardinality` `a.yaml:2:11`\n  partition key \"status\" has 3 values\n  - *fix:* shard it\n"
	if diff := cmp.Diff(want, render(t, Markdown, Style{}, remark())); diff != "" {
		t.Error(diff)
	}
}

func TestWrapNeverBreaksAWord(t *testing.T) {
	got := wrap("one two-three-four five", 8)
	if diff := cmp.Diff([]string{"one", "two-three-four", "five"}, got); diff != "" {
		t.Error(diff)
	}
}
