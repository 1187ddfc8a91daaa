package cfn

import (
	"regexp"
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// The bounds on evaluation; a template of 500 resources takes a few thousand
// steps.
const (
	maxSteps = 2_000_000
	maxDepth = 2_000
	maxAlts  = 16
)

// alt is one way in which a value may turn out: a node, unresolved (why says
// by what) or, with neither, left out.
type alt struct {
	node *node.Node
	why  string
	// sym is the text with each unknown part and each reference to a resource
	// marked; two texts with the same sym are equal whatever they turn out to be.
	sym string
	at  source.Span
}

func (a alt) absent() bool { return a.node == nil && a.why == "" }

// value holds the ways a value may turn out, of which there are several where
// a condition is undecided; why then names the condition.
type value struct {
	alts []alt
	why  string
}

func (v value) at() source.Span { return v.alts[0].at }

func absentAt(at source.Span) value { return value{alts: []alt{{at: at}}} }

func unresolvedAt(at source.Span, why string) value {
	return value{alts: []alt{{why: why, at: at}}}
}

// eval evaluates expressions, under conditions that are taken as given.
type eval struct {
	t      *template
	assume map[string]bool
	truths map[string]truth
	stack  []string // conditions being evaluated
	naming []string // tables whose name is being evaluated
	depth  int
}

func newEval(t *template) *eval { return &eval{t: t, truths: map[string]truth{}} }

// under is the evaluation inside a resource that exists only when the
// condition holds.
func (e *eval) under(condition string) *eval {
	if condition == "" {
		return e
	}
	if v := e.condition(condition); v.known && v.value {
		return e
	}
	out := newEval(e.t)
	out.assume = map[string]bool{}
	out.suppose(condition, true)
	return out
}

// suppose takes a condition as given, with the conditions that follow from it.
func (e *eval) suppose(name string, holds bool) {
	if _, done := e.assume[name]; done {
		return
	}
	e.assume[name] = holds
	if def, ok := e.t.conditions[name]; ok {
		e.follow(def.Value, holds)
	}
}

func (e *eval) follow(n *node.Node, holds bool) {
	fn, arg, ok := call(n)
	if c := n.Get("Condition"); !ok && c != nil {
		fn, arg = "Condition", c
	}
	switch {
	case fn == "Condition" && arg.Kind == node.String:
		e.suppose(arg.Text, holds)
	case fn == "Fn::Not" && len(arg.Items) == 1:
		e.follow(arg.Items[0], !holds)
	case fn == "Fn::And" && holds, fn == "Fn::Or" && !holds:
		for _, it := range arg.Items {
			e.follow(it, holds)
		}
	}
}

// enter counts a step; false when the template asks for too many.
func (e *eval) enter() bool {
	e.t.steps++
	e.depth++
	if e.t.steps <= maxSteps && e.depth <= maxDepth {
		return true
	}
	e.depth--
	e.t.faultf(e.t.doc.At, "the template is too involved to evaluate: more than %d steps or %d levels", maxSteps, maxDepth)
	return false
}

func (e *eval) leave() { e.depth-- }

// resolve evaluates the function at the top of a node; what is inside a map
// or list stays as it is until it is asked for.
func (e *eval) resolve(n *node.Node) value {
	if !e.enter() {
		return unresolvedAt(n.At, "the template is too involved to evaluate")
	}
	defer e.leave()
	fn, arg, ok := call(n)
	switch {
	case n.Tag == UnknownTag:
		return value{alts: []alt{{why: n.Text, sym: markVariables(n.Text), at: n.At}}}
	case !ok && n.Kind == node.String && deployTime(n.Text):
		return value{alts: []alt{{why: n.Text, sym: mark(n.Text), at: n.At}}}
	case !ok:
		return value{alts: []alt{{node: n, at: n.At}}}
	case fn == "Fn::If":
		return e.ifElse(n, arg)
	}
	return value{alts: []alt{e.apply(fn, n, arg)}}
}

// serverlessVariable is what the Serverless Framework fills in before a
// resource file becomes a template: a source, perhaps with a Region or with
// arguments, and an address. ${env.Arn} is none: in Fn::Sub it is an attribute.
var serverlessVariable = regexp.MustCompile(`\$\{\s*(self|opt|env|sls|param|ssm|cf|s3|git|aws|strToBool|file)(\.[\w-]+)?\s*[:(]`)

// deployTime tells whether a text is filled in outside the template: a dynamic
// reference or a Serverless variable.
func deployTime(text string) bool {
	return strings.Contains(text, "{{resolve:") || serverlessVariable.MatchString(text)
}

// ifElse evaluates Fn::If; undecided, it may turn out either way.
func (e *eval) ifElse(n, arg *node.Node) value {
	items, ok := e.args(n, arg, 3, 3, "[condition, value if true, value if false]")
	if !ok {
		return unresolvedAt(n.At, "!If cannot be read")
	}
	name, why := items[0], "depends on a condition"
	var holds truth
	if _, _, isCall := call(name); name.Kind == node.Map || isCall {
		holds = e.truth(name)
	} else {
		why = "depends on condition " + name.Text
		if e.t.checkCondition(name) {
			holds = e.condition(name.Text)
		}
	}
	switch {
	case holds.known && holds.value:
		return e.resolve(items[1])
	case holds.known:
		return e.resolve(items[2])
	}
	a, b := e.resolve(items[1]), e.resolve(items[2])
	return e.merge(why, n.At, append(slices.Clone(a.alts), b.alts...))
}

// merge makes a value of the ways it may turn out, those that are alike once.
func (e *eval) merge(why string, at source.Span, alts []alt) value {
	var out []alt
	for _, a := range alts {
		if !slices.ContainsFunc(out, func(b alt) bool { return e.sameAlt(a, b) }) {
			out = append(out, a)
		}
	}
	switch {
	case len(out) == 1:
		return value{alts: out}
	case len(out) > maxAlts:
		return unresolvedAt(at, why)
	}
	return value{alts: out, why: why}
}

// sameAlt tells whether two ways are certainly the same.
func (e *eval) sameAlt(a, b alt) bool {
	switch {
	case a.absent() || b.absent():
		return a.absent() && b.absent()
	case a.why != "" || b.why != "":
		return a.why != "" && b.why != "" && a.sym != "" && a.sym == b.sym
	case a.node == b.node:
		return true
	case a.node.Kind <= node.String && b.node.Kind <= node.String:
		return scalarText(a.node) == scalarText(b.node)
	case a.node.Kind != b.node.Kind:
		return false
	}
	return e.print(a.node) == e.print(b.node)
}

// single evaluates a node to one way; unresolved when a condition is open.
func (e *eval) single(n *node.Node) alt {
	v := e.resolve(n)
	a := v.alts[0]
	if len(v.alts) > 1 {
		a = alt{why: v.why, at: n.At}
	}
	if a.why != "" && a.sym == "" {
		a.sym = mark(canon(n))
	}
	return a
}

// field is the value of a key in a value that must be a map.
func (e *eval) field(v value, key string) value {
	why := v.why
	var alts []alt
	for _, a := range v.alts {
		switch {
		case a.absent():
			alts = append(alts, a)
		case a.why != "":
			alts = append(alts, alt{why: a.why, at: a.at})
		case a.node.Kind != node.Map:
			e.t.fault(wrongKind(a.node, "a map"))
			alts = append(alts, alt{why: "a map was expected", at: a.at})
		default:
			r := e.entry(a.node, key)
			if why == "" {
				why = r.why
			}
			alts = append(alts, r.alts...)
		}
	}
	return e.merge(why, v.at(), alts)
}

// entry is a key's value in one map. A key that a slip or a macro may have
// meant to give is unresolved, not absent.
func (e *eval) entry(m *node.Node, key string) value {
	if n := m.Get(key); n != nil {
		if n.Kind == node.Null && n.Tag == "" {
			return absentAt(n.At)
		}
		return e.resolve(n)
	}
	if written := e.t.misspelt[m][key]; written != "" {
		return unresolvedAt(m.At, "written as "+quote(written))
	}
	for _, p := range m.Pairs {
		if strings.HasPrefix(p.Key.Text, "Fn::") {
			return unresolvedAt(p.Key.At, p.Key.Text+" may give it")
		}
	}
	return absentAt(m.At)
}

// call takes a function call apart: !Ref X and {"Ref": X} alike.
func call(n *node.Node) (fn string, arg *node.Node, ok bool) {
	if n.Tag != "" && n.Tag != UnknownTag {
		fn = strings.TrimPrefix(n.Tag, "!")
		if fn != "Ref" && fn != "Condition" {
			fn = "Fn::" + strings.TrimPrefix(fn, "Fn::")
		}
		plain := *n
		plain.Tag = ""
		return fn, &plain, true
	}
	if n.Kind != node.Map || len(n.Pairs) != 1 {
		return "", nil, false
	}
	key := n.Pairs[0].Key.Text
	if key == "Ref" || strings.HasPrefix(key, "Fn::") && !strings.HasPrefix(key, loopPrefix) {
		return key, n.Pairs[0].Value, true
	}
	return "", nil, false
}

// args are a call's arguments; a wrong number of them is a fault.
func (e *eval) args(n, arg *node.Node, least, most int, form string) ([]*node.Node, bool) {
	fn, _, _ := call(n)
	if arg.Kind != node.Seq {
		e.t.fault(wrongKind(arg, fn+" "+form))
		return nil, false
	}
	if len(arg.Items) < least || len(arg.Items) > most {
		e.t.faultf(arg.At, "found %d arguments of %s, expected %s", len(arg.Items), fn, form)
		return nil, false
	}
	return arg.Items, true
}
