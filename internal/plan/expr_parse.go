package plan

import "strings"

// parse reads an expression of DynamoDB's condition language. String literals
// are accepted where the language has only value placeholders. It checks form
// only; what a key condition may hold is checked by keyConditions.
func parse(src string) (*expr, *refusal) {
	toks, bad := lex(src)
	if bad != nil {
		return nil, bad
	}
	p := &parser{toks: toks}
	if p.peek().kind == tokEnd {
		return nil, refuse(0, len(src), "the expression is empty")
	}
	e := p.or()
	if p.bad == nil && p.peek().kind != tokEnd {
		p.unexpected("AND, OR or the end")
	}
	if p.bad == nil && p.operators > maxExprOperators {
		p.fail(0, len(src), "the expression has %d operators and the limit is %d", p.operators, maxExprOperators)
	}
	if p.bad != nil {
		return nil, p.bad
	}
	return e, nil
}

// A parser stops at its first refusal; every method returns a node or nil.
type parser struct {
	toks      []lexeme
	at        int
	operators int
	bad       *refusal
}

func (p *parser) peek() lexeme { return p.toks[p.at] }

func (p *parser) next() lexeme {
	t := p.toks[p.at]
	if t.kind != tokEnd {
		p.at++
	}
	return t
}

func (p *parser) fail(start, end int, format string, args ...any) *expr {
	if p.bad == nil {
		p.bad = refuse(start, end, format, args...)
	}
	return nil
}

func (p *parser) unexpected(wanted string) *expr {
	t := p.peek()
	if t.kind == tokEnd {
		return p.fail(t.start, t.end, "syntax error at the end: %s expected", wanted)
	}
	return p.fail(t.start, t.end, "syntax error at %q: %s expected", t.text, wanted)
}

// keyword tells whether the next token is the keyword, in any case.
func (p *parser) keyword(word string) bool {
	t := p.peek()
	return t.kind == tokWord && strings.EqualFold(t.text, word)
}

func (p *parser) symbol(s string) bool {
	t := p.peek()
	return t.kind == tokSymbol && t.text == s
}

// expect takes the symbol and returns its end; a refusal otherwise.
func (p *parser) expect(s string) int {
	if !p.symbol(s) {
		p.unexpected("\"" + s + "\"")
		return 0
	}
	return p.next().end
}

func (p *parser) or() *expr { return p.binary(opOr, p.and) }

func (p *parser) and() *expr { return p.binary(opAnd, p.not) }

func (p *parser) binary(op string, operand func() *expr) *expr {
	left := operand()
	for p.bad == nil && p.keyword(op) {
		p.next()
		right := operand()
		if p.bad != nil {
			return nil
		}
		p.operators++
		left = &expr{Op: op, Args: []*expr{left, right}, Start: left.Start, End: right.End}
	}
	return left
}

func (p *parser) not() *expr {
	if !p.keyword(opNot) {
		return p.condition()
	}
	start := p.next().start
	arg := p.not()
	if p.bad != nil {
		return nil
	}
	p.operators++
	return &expr{Op: opNot, Args: []*expr{arg}, Start: start, End: arg.End}
}

// condition is one comparison, function or parenthesised expression.
func (p *parser) condition() *expr {
	if p.symbol("(") {
		return p.group()
	}
	left := p.operand()
	if p.bad != nil {
		return nil
	}
	t := p.peek()
	follows := t.kind == tokSymbol && isComparator(t.text) || p.keyword(opBetween) || p.keyword(opIn)
	switch {
	case left.isCondition() && follows:
		return p.fail(left.Start, left.End, "the function %s cannot be used as an operand", left.Op)
	case left.isCondition():
		return left
	case p.keyword(opBetween):
		return p.between(left)
	case p.keyword(opIn):
		return p.in(left)
	case follows:
		p.next()
		return p.node(t.text, left, p.value())
	case left.Op == opSize:
		return p.fail(left.Start, left.End, "the function size must be compared with a value")
	}
	return p.unexpected("a comparator, BETWEEN or IN")
}

// node makes an operator over operands that were read without refusal.
func (p *parser) node(op string, args ...*expr) *expr {
	if p.bad != nil {
		return nil
	}
	p.operators++
	return &expr{Op: op, Args: args, Start: args[0].Start, End: args[len(args)-1].End}
}

func (p *parser) group() *expr {
	start := p.next().start
	inner := p.or()
	if p.bad != nil {
		return nil
	}
	end := p.expect(")")
	if p.bad != nil {
		return nil
	}
	if inner.parens {
		return p.fail(start, end, "the expression has redundant parentheses")
	}
	inner.Start, inner.End, inner.parens = start, end, true
	return inner
}

func (p *parser) between(left *expr) *expr {
	p.next()
	low := p.value()
	if p.bad == nil && !p.keyword(opAnd) {
		return p.unexpected("AND and the upper bound of BETWEEN")
	}
	p.next()
	return p.node(opBetween, left, low, p.value())
}

func (p *parser) in(left *expr) *expr {
	p.next()
	args, end := p.list([]*expr{left})
	e := p.node(opIn, args...)
	if e == nil {
		return nil
	}
	if n := len(args) - 1; n > maxInOperands {
		return p.fail(left.Start, end, "IN has %d operands and the limit is %d", n, maxInOperands)
	}
	e.End = end
	return e
}

// list reads "(operand, …)" behind what is in args and returns its end.
func (p *parser) list(args []*expr) ([]*expr, int) {
	p.expect("(")
	for p.bad == nil {
		args = append(args, p.value())
		if !p.symbol(",") {
			break
		}
		p.next()
	}
	if p.bad != nil {
		return nil, 0
	}
	return args, p.expect(")")
}

// value is an operand that is no condition.
func (p *parser) value() *expr {
	if p.bad != nil {
		return nil
	}
	e := p.operand()
	if e != nil && e.isCondition() {
		return p.fail(e.Start, e.End, "the function %s cannot be used as an operand", e.Op)
	}
	return e
}

func (p *parser) operand() *expr {
	t := p.peek()
	switch t.kind {
	case tokValue, tokLiteral:
		p.next()
		op := opValue
		if t.kind == tokLiteral {
			op = opLiteral
		}
		return &expr{Op: op, Text: t.text, Start: t.start, End: t.end}
	case tokWord:
		if p.toks[p.at+1].text == "(" && p.toks[p.at+1].kind == tokSymbol && !isKeyword(t.text) {
			return p.call()
		}
		if isKeyword(t.text) {
			return p.unexpected("an attribute, a value or a function")
		}
		return p.path()
	case tokName:
		return p.path()
	case tokNumber:
		return p.fail(t.start, t.end, `syntax error at %q: a number must be given through values, as in ":n"`, t.text)
	}
	return p.unexpected("an attribute, a value or a function")
}

func isKeyword(word string) bool {
	switch strings.ToUpper(word) {
	case opAnd, opOr, opNot, opBetween, opIn:
		return true
	}
	return false
}

// call reads a function. Function names are case-sensitive.
func (p *parser) call() *expr {
	name := p.next()
	var want int
	switch name.text {
	case opExists, opNotExists, opSize:
		want = 1
	case opBeginsWith, opContains, opType:
		want = 2
	default:
		return p.fail(name.start, name.end, "invalid function name %q", name.text)
	}
	args, end := p.list(nil)
	if p.bad != nil {
		return nil
	}
	p.operators++
	if len(args) != want {
		return p.fail(name.start, end, "the function %s has %d operands and needs %d", name.text, len(args), want)
	}
	if args[0].Op != opPath {
		return p.fail(args[0].Start, args[0].End, "the first operand of %s must be an attribute", name.text)
	}
	return &expr{Op: name.text, Args: args, Start: name.start, End: end}
}

// path reads a.b[0].#c.
func (p *parser) path() *expr {
	first := p.next()
	e := &expr{Op: opPath, Start: first.start, End: first.end, Path: []step{{first.text, first.start, first.end}}}
	for p.bad == nil {
		switch {
		case p.symbol("."):
			p.next()
			t := p.peek()
			if t.kind != tokWord && t.kind != tokName {
				return p.unexpected("a name")
			}
			p.next()
			e.Path = append(e.Path, step{t.text, t.start, t.end})
			e.End = t.end
		case p.symbol("["):
			open := p.next()
			if p.peek().kind != tokNumber {
				return p.unexpected("the number of a list element")
			}
			p.next()
			e.End = p.expect("]")
			e.Path = append(e.Path, step{"", open.start, e.End})
		default:
			return e
		}
	}
	return nil
}
