// Package load reads the formats in which people describe DynamoDB tables and
// fills the model. It detects formats by content, resolves what can be known
// statically and reports the rest as unresolved; it judges nothing.
package load

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Options are settings of a load.
type Options struct {
	Parameters map[string]string // --parameter K=V of CloudFormation templates
	Stdin      *source.File      // what the path "-" is; nil: a file of that name
}

// Result is what was read: every table, and one diagnostic for each thing
// that could not be. An error in one file loses nothing of another.
type Result struct {
	Tables []*table.Table
	// Patterns name tables of other files until Paths attaches them.
	Patterns []*table.Pattern
	Errors   []*source.Diagnostic

	parameters []string       // that templates declare
	files      []*source.File // beside this one, that its resources stand in
	included   []owned        // its tables that stand in those files
}
