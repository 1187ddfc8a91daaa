// Package reports turns results into documents. A report is plain data: the
// JSON document of the output contract, and the same as blocks for people.
// Writers are pure functions of a report and a style; they decide nothing
// about tables and look at neither clock, terminal nor environment.
package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"ddbvet/internal/source"
)

// Report is what one command has to say.
type Report struct {
	JSON   any // the document of the contract; its first key is "schema"
	Blocks []Block
}

// Style is how text is shown. Width counts terminal cells; 0 means no limit.
type Style struct {
	Width int
	Color bool
}

// Writer writes one format.
type Writer func(io.Writer, Report, Style) error

var writers = map[string]Writer{
	"text":     Text,
	"markdown": Markdown,
	"json":     JSON,
}

// Formats lists the names of the formats in order.
func Formats() []string {
	var names []string
	for n := range writers {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// ForFormat returns the writer of a format.
func ForFormat(name string) (Writer, error) {
	if w, ok := writers[name]; ok {
		return w, nil
	}
	return nil, fmt.Errorf("unknown format %q, expected %s", name, strings.Join(Formats(), ", "))
}

// Block is one piece of a document for people.
type Block interface{ block() }

// Tone is the meaning of a piece of text, shown as colour where there is any.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Dim
	Good
	Noted
	Warned
	Bad
	Strong
)

// Heading opens a part; Level counts from 1.
type Heading struct {
	Level int
	Text  string
}

// Paragraph is running text.
type Paragraph struct {
	Text string
	Tone Tone
}

// Cell is one cell of a table.
type Cell struct {
	Text string
	Tone Tone
}

// Table is a table. Right marks the columns of numbers.
type Table struct {
	Head  []string
	Right []bool
	Rows  [][]Cell
}

// Bullets is a list.
type Bullets struct{ Items []Cell }

// Code is text shown as it is, line by line.
type Code struct{ Text string }

// Remark is a finding or an error about a place, with its source line.
type Remark struct {
	At      source.Span
	Tone    Tone
	Label   string // "error", "warning", "note"
	Name    string // rule id; "" for a reading error
	Message string
	Details []Detail
}

// Detail is a labelled line under a remark: "fix", "costs", "known".
type Detail struct{ Label, Text string }

func (Heading) block()   {}
func (Paragraph) block() {}
func (Table) block()     {}
func (Bullets) block()   {}
func (Code) block()      {}
func (Remark) block()    {}

// cells makes a row of plain cells.
func cells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, t := range texts {
		row[i].Text = t
	}
	return row
}
