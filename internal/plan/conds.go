package plan

import (
	"slices"

	"ddbvet/internal/source"
)

// A cond is one condition on one top-level attribute. Text holds the operands:
// one, or two of BETWEEN.
type cond struct {
	Attr       string
	Op         string
	Operands   []operand
	Start, End int // byte offsets into the expression
}

// An operand is what an attribute is compared with. Where Known, Made says
// how the value is made; else only the placeholder is known.
type operand struct {
	Written string // ":pk", or the literal with its quotes
	Made    template
	Known   bool
}

// isRange tells whether the condition is one that must come last in a key.
func (c *cond) isRange() bool { return c.Op != opEq }

// find returns the condition on an attribute, or nil.
func find(conds []cond, attr string) *cond {
	for i := range conds {
		if conds[i].Attr == attr {
			return &conds[i]
		}
	}
	return nil
}

// A scope resolves the placeholders of one pattern and notes their use.
type scope struct {
	names  map[string]source.Value[string]
	values map[string]source.Value[string]
	used   map[string]bool
	needs  []string // names that are not known
}

// name resolves one step of a path; an alias that is not declared is refused.
func (s *scope) name(st step) (string, *refusal) {
	if st.Name == "" || st.Name[0] != '#' {
		return st.Name, nil
	}
	s.used[st.Name] = true
	v, ok := s.names[st.Name]
	if !ok {
		return "", refuse(st.Start, st.End, "the name %q is not defined in names", st.Name)
	}
	name, known := v.Get()
	if what := "the attribute that " + st.Name + " stands for"; !known && !slices.Contains(s.needs, what) {
		s.needs = append(s.needs, what)
	}
	return name, nil
}

// operand resolves a value placeholder or a literal.
func (s *scope) operand(e *expr) operand {
	if e.Op == opLiteral {
		made := template{}
		if e.Text != "" {
			made = template{{Text: e.Text}}
		}
		return operand{Written: `"` + e.Text + `"`, Made: made, Known: true}
	}
	s.used[e.Text] = true
	o := operand{Written: e.Text}
	if text, ok := s.values[e.Text].Get(); ok {
		o.Made, o.Known = parseTemplate(text), true
	}
	return o
}

// check resolves every placeholder of an expression and refuses undefined
// names and, where DynamoDB takes an expression, reserved words.
func (s *scope) check(root *expr, reserved bool) (bad []*refusal) {
	root.walk(func(e *expr) {
		if e.Op == opValue {
			s.operand(e)
		}
		for _, st := range e.Path {
			if _, r := s.name(st); r != nil {
				bad = append(bad, r)
			} else if reserved && isReserved(st.Name) {
				bad = append(bad, refuse(st.Start, st.End,
					"the attribute name %q is a reserved word of DynamoDB and must be given through names, as in \"#n\"", st.Name))
			}
		}
	})
	return bad
}

// mirrored is the comparator with its operands exchanged.
var mirrored = map[string]string{opEq: opEq, opLt: opGt, opLe: opGe, opGt: opLt, opGe: opLe}

// keyConditions takes the conditions from a key condition expression whose
// placeholders were checked, and refuses what a key condition may not hold.
// Nothing is taken while a name in it is not known.
func (s *scope) keyConditions(root *expr) (conds []cond, bad []*refusal) {
	if len(s.needs) > 0 {
		return nil, nil
	}
	for _, e := range root.conjuncts() {
		c, r := s.keyCondition(e)
		if r == nil && find(conds, c.Attr) != nil {
			r = refuse(e.Start, e.End, "the key condition has two conditions on %q and may have one: use BETWEEN for two bounds", c.Attr)
		}
		if r != nil {
			bad = append(bad, r)
			continue
		}
		conds = append(conds, c)
	}
	return conds, bad
}

func (s *scope) keyCondition(e *expr) (cond, *refusal) {
	if !isComparator(e.Op) && e.Op != opBetween && e.Op != opBeginsWith || e.Op == opNe {
		return cond{}, refuse(e.Start, e.End, "the operator %s is not allowed in a key condition", e.Op)
	}
	for _, a := range e.Args {
		switch {
		case a.Op == opSize:
			return cond{}, refuse(a.Start, a.End, "the function size is not allowed in a key condition")
		case a.Op == opPath && len(a.Path) > 1:
			return cond{}, refuse(a.Start, a.End, "a key condition cannot name a nested attribute")
		}
	}
	c, ok := s.simple(e)
	if !ok {
		return cond{}, refuse(e.Start, e.End, "the condition must compare one key attribute with a value")
	}
	return c, nil
}

// simple reads a condition of one top-level attribute against values.
func (s *scope) simple(e *expr) (cond, bool) {
	op, args := e.Op, e.Args
	if !isComparator(op) && op != opBetween && op != opBeginsWith || op == opNe {
		return cond{}, false
	}
	if isComparator(op) && args[0].Op != opPath && args[1].Op == opPath {
		op, args = mirrored[op], []*expr{args[1], args[0]}
	}
	if args[0].Op != opPath || len(args[0].Path) != 1 {
		return cond{}, false
	}
	name, bad := s.name(args[0].Path[0])
	if bad != nil || name == "" {
		return cond{}, false
	}
	c := cond{Attr: name, Op: op, Start: e.Start, End: e.End}
	for _, a := range args[1:] {
		if a.Op != opValue && a.Op != opLiteral {
			return cond{}, false
		}
		c.Operands = append(c.Operands, s.operand(a))
	}
	return c, true
}

// A mention is a top-level attribute that an expression names.
type mention struct {
	Attr       string
	Start, End int
}

// mentions lists the top-level attributes of an expression in order.
func (s *scope) mentions(root *expr) (out []mention) {
	root.walk(func(e *expr) {
		if e.Op != opPath {
			return
		}
		if name, bad := s.name(e.Path[0]); bad == nil && name != "" {
			out = append(out, mention{name, e.Start, e.End})
		}
	})
	return out
}
