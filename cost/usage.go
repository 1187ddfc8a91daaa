package cost

import (
	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// Part is what one call consumes of the table or of one index. Units are
// request units, which are the same number as capacity unit-seconds.
type Part struct {
	Index       string // "" for the table; LSIs are inside the table
	Read, Write float64
	Why         string // the arithmetic for people: "25 items × 600 B = 15,000 B → 16 KB, eventual"
}

// Usage is what one call of a pattern consumes everywhere. Where Unknown is
// not empty the parts are not the whole and must not be summed into a total.
type Usage struct {
	Parts   []Part
	Unknown []string // what would have to be declared
}

// Consume computes the usage of one call of a planned pattern by the rules of
// the developer guide, index writes included.
func Consume(t *table.Table, r *plan.Result) Usage { panic("to be built") }
