package cfn

import (
	"slices"
	"strings"

	"ddbvet/internal/load/node"
)

// truth is what is known of a condition.
type truth struct{ known, value bool }

var unknown = truth{}

// indexConditions lists the declared conditions.
func (t *template) indexConditions() {
	t.conditions = map[string]node.Pair{}
	for _, p := range t.section("Conditions") {
		t.conditions[p.Key.Text] = p
	}
}

// evaluateConditions evaluates every condition, so that a fault in one that
// nothing uses is reported too.
func (t *template) evaluateConditions(e *eval) {
	clear(e.truths)
	for _, p := range t.section("Conditions") {
		if !strings.HasPrefix(p.Key.Text, loopPrefix) {
			e.condition(p.Key.Text)
		}
	}
}

// checkCondition reports a condition that the template does not declare.
func (t *template) checkCondition(n *node.Node) bool {
	if _, ok := t.conditions[n.Text]; ok {
		return true
	}
	if serverlessVariable.MatchString(n.Text) {
		return false // its name is filled in later
	}
	for name := range t.conditions {
		if strings.HasPrefix(name, loopPrefix) {
			return false // it may be one of those the loop makes
		}
	}
	t.faultf(n.At, "condition %q is not declared%s", n.Text, didYouMean(n.Text, sortedNames(t.conditions)))
	return false
}

// condition evaluates a declared condition.
func (e *eval) condition(name string) truth {
	if v, ok := e.assume[name]; ok {
		return truth{true, v}
	}
	if v, ok := e.truths[name]; ok {
		return v
	}
	def, ok := e.t.conditions[name]
	if !ok {
		return unknown
	}
	if i := slices.Index(e.stack, name); i >= 0 {
		e.reportCycle(slices.Clone(e.stack[i:]))
		return unknown
	}
	e.stack = append(e.stack, name)
	v := e.truth(def.Value)
	e.stack = e.stack[:len(e.stack)-1]
	e.truths[name] = v
	return v
}

// reportCycle names a cycle from the condition that stands first in the file,
// whichever it was entered by.
func (e *eval) reportCycle(names []string) {
	first := 0
	for i, n := range names {
		if e.t.conditions[n].Key.At.Start.Before(e.t.conditions[names[first]].Key.At.Start) {
			first = i
		}
	}
	names = append(names[first:], names[:first]...)
	at := e.t.conditions[names[0]].Key.At
	if names = append(names, names[0]); len(names) > 12 {
		names = slices.Concat(names[:8], []string{"..."}, names[len(names)-2:])
	}
	e.t.faultf(at, "conditions depend on each other: %s", strings.Join(names, " -> "))
}

// truth evaluates a condition's expression, or a name of one.
func (e *eval) truth(n *node.Node) truth {
	if !e.enter() {
		return unknown
	}
	defer e.leave()
	fn, arg, ok := call(n)
	if !ok {
		if n.Kind == node.Map && len(n.Pairs) == 1 && n.Pairs[0].Key.Text == "Condition" {
			fn, arg, ok = "Condition", n.Pairs[0].Value, true
		}
	}
	if !ok {
		e.t.fault(wrongKind(n, "a condition: Fn::Equals, Fn::And, Fn::Or, Fn::Not or Condition"))
		return unknown
	}
	switch fn {
	case "Condition":
		if arg.Kind != node.String || !e.t.checkCondition(arg) {
			return unknown
		}
		return e.condition(arg.Text)
	case "Fn::Equals":
		return e.equals(n, arg)
	case "Fn::And", "Fn::Or":
		return e.andOr(fn == "Fn::Or", n, arg)
	case "Fn::Not":
		items, ok := e.args(n, arg, 1, 1, "[condition]")
		if !ok {
			return unknown
		}
		v := e.truth(items[0])
		return truth{v.known, !v.value}
	}
	return unknown
}

// equals compares two values as CloudFormation does: by their text.
func (e *eval) equals(n, arg *node.Node) truth {
	items, ok := e.args(n, arg, 2, 2, "[value, value]")
	if !ok {
		return unknown
	}
	a, b := e.single(items[0]), e.single(items[1])
	switch {
	case a.why != "" && a.sym == b.sym:
		return truth{true, true} // the same expression on both sides
	case a.why != "" || b.why != "":
		return unknown
	}
	return truth{true, e.sameAlt(a, b)}
}

// andOr evaluates Fn::And and Fn::Or: one operand that decides is enough.
func (e *eval) andOr(or bool, n, arg *node.Node) truth {
	items, ok := e.args(n, arg, 1, 1000, "[condition, condition]")
	if !ok {
		return unknown
	}
	out := truth{true, !or}
	for _, it := range items {
		v := e.truth(it)
		if v.known && v.value == or {
			out = v
		} else if !v.known && (!out.known || out.value != or) {
			out = unknown
		}
	}
	return out
}
