package plan

import "fmt"

// An expr is a node of a key condition or of a filter or condition
// expression. Start and End are byte offsets into the expression's text.
type expr struct {
	Op         string // one of the operators below
	Args       []*expr
	Path       []step // of opPath
	Text       string // of opValue (":pk") and opLiteral (without its quotes)
	Start, End int
	parens     bool // stands in parentheses of its own
}

// A step is one part of a document path: a name, or a list index.
type step struct {
	Name       string // as written: "status" or "#st"; "" for a list index
	Start, End int
}

// The operators that are not spelled like this in the language.
const (
	opPath    = "path"
	opValue   = "value"
	opLiteral = "literal"
)

// The operators as the language spells them.
const (
	opAnd        = "AND"
	opOr         = "OR"
	opNot        = "NOT"
	opBetween    = "BETWEEN"
	opIn         = "IN"
	opEq         = "="
	opNe         = "<>"
	opLt         = "<"
	opLe         = "<="
	opGt         = ">"
	opGe         = ">="
	opBeginsWith = "begins_with"
	opContains   = "contains"
	opExists     = "attribute_exists"
	opNotExists  = "attribute_not_exists"
	opType       = "attribute_type"
	opSize       = "size"
)

// The limits of an expression (developer guide, quotas).
const (
	maxExprBytes     = 4096
	maxExprOperators = 300
	maxInOperands    = 100
)

// A refusal is why an expression is refused and where in it; the offsets are
// bytes and lie within the text.
type refusal struct {
	Start, End int
	Message    string
}

func refuse(start, end int, format string, args ...any) *refusal {
	return &refusal{start, end, fmt.Sprintf(format, args...)}
}

// isCondition tells whether the node has a truth value and is not an operand.
func (e *expr) isCondition() bool {
	switch e.Op {
	case opPath, opValue, opLiteral, opSize:
		return false
	}
	return true
}

// isComparator tells whether op is one of the six comparators.
func isComparator(op string) bool {
	switch op {
	case opEq, opNe, opLt, opLe, opGt, opGe:
		return true
	}
	return false
}

// walk calls f for every node, parents first, in written order.
func (e *expr) walk(f func(*expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		a.walk(f)
	}
}

// conjuncts returns the conditions that must all hold, in written order.
func (e *expr) conjuncts() []*expr {
	if e == nil {
		return nil
	}
	if e.Op != opAnd {
		return []*expr{e}
	}
	return append(e.Args[0].conjuncts(), e.Args[1].conjuncts()...)
}
