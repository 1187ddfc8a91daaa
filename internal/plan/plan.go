// Package plan matches access patterns with key schemas: which table or index
// can serve a pattern, and how. It counts items and bytes but neither units
// nor money, and it judges no design.
package plan

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// State is whether a pattern is served.
type State string

// The states. Unknown: a name or value that decides is not known.
const (
	Served   State = "served"
	Unserved State = "unserved"
	Unknown  State = "unknown"
)

// FaultKind is the kind of reason why a pattern is refused or not served.
type FaultKind string

// The kinds of fault. Most are what DynamoDB's validation would refuse.
const (
	BadExpression     FaultKind = "bad-expression"     // does not parse, or an unused or undefined name
	NoSuchTable       FaultKind = "no-such-table"      //
	NoSuchIndex       FaultKind = "no-such-index"      //
	NotKey            FaultKind = "not-key"            // key condition on an attribute that is not of the key
	PartitionMissing  FaultKind = "partition-missing"  // a partition attribute without equality
	SortGap           FaultKind = "sort-gap"           // a sort attribute skipped
	RangeNotLast      FaultKind = "range-not-last"     // a condition after a range
	SortMissing       FaultKind = "sort-missing"       // GetItem without the whole key; a range or order and no sort key
	FilterOnKey       FaultKind = "filter-on-key"      // filter names a key attribute of what is queried
	StrongOnGSI       FaultKind = "strong-on-gsi"      //
	GetOnIndex        FaultKind = "get-on-index"       //
	NotProjected      FaultKind = "not-projected"      // a needed attribute that the GSI lacks
	TemplateMismatch  FaultKind = "template-mismatch"  // the value given can match no key of the entity
	TypeMismatch      FaultKind = "type-mismatch"      // begins_with on a number and the like
	OrderMismatch     FaultKind = "order-mismatch"     // the order asked for is not the sort key's
	NoKey             FaultKind = "no-key"             // no condition was declared and the operation needs one
	OperationMismatch FaultKind = "operation-mismatch" // Scan with a key condition and the like
)

// Fault is one reason, with the attribute it is about and its place.
type Fault struct {
	Kind      FaultKind
	Attribute string
	Message   string // one clause, lower case, no trailing period
	At        source.Span
}

// Access is one way to serve a pattern.
type Access struct {
	Index     *table.Index // nil: the base table
	Method    string       // table.GetItem, table.Query or table.Scan; for writes the operation itself
	Condition string       // the key condition with names and templates filled in, for people
	Exact     bool         // no filter is needed beyond the key condition
	Fetch     bool         // an LSI that must fetch whole items from its table
	FetchBack bool         // a GSI that needs a second request (BatchGetItem) for what it lacks
	Missing   []string     // attributes that Fetch or FetchBack brings
	Queries   float64      // parallel requests (write-sharded keys); 1 otherwise
}

// Result is how one pattern meets the tables.
type Result struct {
	Table   *table.Table // nil where no table of that name was read
	Pattern *table.Pattern
	State   State
	Access  *Access   // the way it is served as declared; nil unless Served
	Others  []*Access // other ways that the keys and indexes offer, best first
	Faults  []Fault   // why it is refused or not served as declared
	Needs   []string  // with Unknown: what would decide it
	Changes []Change  // for Unserved: what would serve it, cheapest first
	// Evaluated is the items one call reads before any filter, and Bytes
	// their size together as the index or table holds them; absent when a
	// count or size was not declared.
	Evaluated, Bytes source.Value[float64]
}

// Change is a change of the design that would serve a pattern.
type Change struct {
	Kind     string       // "overload", "sort-order", "new-gsi", "base-key"
	Text     string       // one sentence for people
	Backfill bool         // items written before the change must be rewritten by the application
	Index    *table.Index // the index as it would be; nil for "base-key"
}

// Table plans every pattern of a table, in their order.
func Table(t *table.Table) []Result {
	out := make([]Result, 0, len(t.Patterns.Items))
	for _, p := range t.Patterns.Items {
		out = append(out, Pattern(t, p))
	}
	return out
}
