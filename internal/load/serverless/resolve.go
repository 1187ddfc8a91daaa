package serverless

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ddbvet/internal/load/cfn"
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// The bounds on what variables unfold to. A service of 500 resources has some
// 20,000 nodes and nests 20 deep.
const (
	maxNodes  = 500_000
	maxHeight = 1_000
	maxText   = 64 << 10 // bytes of one text
)

// resolver resolves the variables of one service. A node means the same
// wherever it stands, since paths are relative to the service's folder, so each
// is resolved once.
type resolver struct {
	root     *node.Node
	dir      string
	given    map[string]string
	read     func(string) (*source.File, error)
	files    map[string]answer
	bytes    int          // of the included files
	parts    []*node.Node // of the resources, before they are merged
	asked    map[string]bool
	shallows map[*node.Node]*node.Node
	deeps    map[*node.Node]extent
	open     map[*node.Node]bool // texts being evaluated
	unfold   map[*node.Node]int  // nodes being unfolded, with the length of chain then
	chain    []*node.Node        // texts of open and unfold, outermost first
	why      map[*node.Node]string
	errs     []*source.Diagnostic
	said     map[string]bool
	depth    int
}

// extent is a node without variables, with what a walk of it meets.
type extent struct {
	node         *node.Node
	size, height int
}

// answer is what a source says: a node, nothing (the next source is tried), or
// that its value is not known before deployment.
type answer struct {
	node    *node.Node
	missing string // why there is nothing
	unknown string // why the value is not known
}

func newResolver(root *node.Node, o Options) *resolver {
	r := &resolver{
		root: root, given: o.Parameters, read: o.Read, dir: ".",
		files: map[string]answer{}, asked: map[string]bool{}, why: map[*node.Node]string{},
		shallows: map[*node.Node]*node.Node{}, deeps: map[*node.Node]extent{},
		open: map[*node.Node]bool{}, unfold: map[*node.Node]int{}, said: map[string]bool{},
	}
	if root.At.File != nil {
		r.dir = filepath.Dir(root.At.File.Name)
	}
	return r
}

// addresses lists the variables that may be given.
func (r *resolver) addresses() []string { return slices.Sorted(maps.Keys(r.asked)) }

func (r *resolver) fault(at source.Span, format string, args ...any) {
	d := source.Errorf(at, format, args...)
	if key := d.Error(); !r.said[key] {
		r.said[key] = true
		r.errs = append(r.errs, d)
	}
}

// limit reports a bound that was met, each once for the service.
func (r *resolver) limit(at source.Span, format string, bounds ...any) {
	if !r.said[format] {
		r.said[format] = true
		r.fault(at, format, bounds...)
	}
}

// notKnown is the node of a value that is not known; expr is what stands for it.
func (r *resolver) notKnown(expr, why string, at source.Span) *node.Node {
	n := &node.Node{Kind: node.String, Tag: cfn.UnknownTag, Text: expr, At: at}
	r.why[n] = why
	return n
}

func isUnknown(n *node.Node) bool { return n != nil && n.Tag == cfn.UnknownTag }

// enter counts a level of recursion; false when there are too many.
func (r *resolver) enter(n *node.Node) bool {
	r.depth++
	if r.depth <= 2*maxHeight {
		return true
	}
	r.depth--
	r.limit(n.At, "the variables are too involved: more than %d levels", 2*maxHeight)
	return false
}

// shallow evaluates the variables of a text. What is inside a map or list
// stays as it is.
func (r *resolver) shallow(n *node.Node) *node.Node {
	if n.Kind != node.String || isUnknown(n) || !hasVariable(n.Text) {
		return n
	}
	if out, done := r.shallows[n]; done {
		return out
	}
	if r.open[n] {
		return r.circle(n, slices.Index(r.chain, n))
	}
	if !r.enter(n) {
		return r.notKnown(n.Text, "the variables are too involved", n.At)
	}
	r.open[n] = true
	r.chain = append(r.chain, n)
	out := r.text(n)
	r.chain = r.chain[:len(r.chain)-1]
	delete(r.open, n)
	r.depth--
	r.shallows[n] = out
	return out
}

// circular is why a value that needs itself is not known; it is reported.
const circular = "it refers to itself"

// circle reports variables that need one another: those of the chain from
// there on. n is met for a second time.
func (r *resolver) circle(n *node.Node, from int) *node.Node {
	var names []string
	for _, c := range r.chain[from:] {
		name := fmt.Sprintf("%q at %s", clip(c.Text), c.At)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	at, expr := n.At, n.Text
	if len(r.chain) > from {
		at, expr = r.chain[from].At, r.chain[from].Text
	}
	switch len(names) {
	case 0, 1:
		r.fault(at, "variable %q refers to itself", clip(expr))
	default:
		r.fault(at, "the variables refer to each other in a circle: %s", strings.Join(names[:min(len(names), 5)], ", "))
	}
	return r.notKnown(expr, circular, n.At)
}

func clip(text string) string {
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "") + "..."
	}
	return text
}

// text evaluates a text with its tag: a short form such as !Sub applies to
// what the variables give.
func (r *resolver) text(n *node.Node) *node.Node {
	out := r.untagged(n)
	if n.Tag == "" || isUnknown(out) {
		return out
	}
	tagged := *out
	if out.Tag == "" {
		tagged.Tag = n.Tag
		return &tagged
	}
	fn := strings.TrimPrefix(n.Tag, "!")
	if fn != "Ref" && fn != "Condition" {
		fn = "Fn::" + strings.TrimPrefix(fn, "Fn::")
	}
	return &node.Node{Kind: node.Map, At: n.At, Pairs: []node.Pair{{Key: textNode(fn, n.At), Value: out}}}
}

func (r *resolver) untagged(n *node.Node) *node.Node {
	if strings.Contains(n.Text, "${{") {
		return r.notKnown(n.Text, "the service has a variable syntax of its own", n.At)
	}
	parts, err := parseText(n.Text)
	switch {
	case err != nil:
		return r.notKnown(n.Text, err.Error(), n.At)
	case len(parts) == 1 && parts[0].variable != nil:
		a := r.variable(parts[0].variable, n.At)
		if a.node == nil {
			return r.notKnown(parts[0].text, a.missing+a.unknown, n.At)
		}
		return a.node
	}
	out := textNode("", n.At)
	if text, why := r.join(parts, n.At); why != "" {
		out = r.notKnown(text, why, n.At)
	} else {
		out.Text = text
	}
	return out
}

// join puts a text together. Of what is not known the expression is kept, and
// why says why.
func (r *resolver) join(parts []part, at source.Span) (text, why string) {
	var b strings.Builder
	for _, p := range parts {
		if p.variable == nil {
			b.WriteString(p.text)
			continue
		}
		a := r.variable(p.variable, at)
		switch {
		case a.node == nil:
			b.WriteString(p.text)
			why = a.missing + a.unknown
		case isUnknown(a.node):
			b.WriteString(a.node.Text)
			why = cmp.Or(r.why[a.node], "it is not known")
		case a.node.Tag != "" || a.node.Kind == node.Map || a.node.Kind == node.Seq || a.node.Kind == node.Null:
			b.WriteString(p.text)
			why = fmt.Sprintf("%s is a %s, expected text", clip(p.text), a.node.Kind)
		default:
			b.WriteString(a.node.Text)
		}
		if b.Len() > maxText {
			r.limit(at, "the variables give a text of more than %d KB", maxText>>10)
			return clip(b.String()), "the text is too long"
		}
	}
	return b.String(), why
}

// deep evaluates every variable in a node.
func (r *resolver) deep(n *node.Node) *node.Node { return r.extent(n).node }

func (r *resolver) extent(n *node.Node) extent {
	if out, done := r.deeps[n]; done {
		return out
	}
	leaf := n.Kind != node.Map && n.Kind != node.Seq
	if leaf && (n.Kind != node.String || !hasVariable(n.Text)) {
		return extent{n, 1, 1}
	}
	if from, again := r.unfold[n]; again {
		return extent{r.circle(n, from), 1, 1}
	}
	if !r.enter(n) {
		return extent{r.notKnown(n.Text, "the variables are too involved", n.At), 1, 1}
	}
	r.unfold[n] = len(r.chain)
	var out extent
	if leaf {
		r.chain = append(r.chain, n)
		out = extent{n, 1, 1}
		if m := r.shallow(n); m.Kind == node.Map || m.Kind == node.Seq {
			out = r.extent(m)
		} else {
			out.node = m // evaluated to the end: what a variable gives is
		}
		r.chain = r.chain[:len(r.chain)-1]
	} else {
		out = r.children(n)
	}
	delete(r.unfold, n)
	r.depth--
	if out.size > maxNodes || out.height > maxHeight {
		r.limit(n.At, "the variables unfold to more than %d values or %d levels", maxNodes, maxHeight)
		out = extent{r.notKnown(clip(n.Text), "the variables unfold to too much", n.At), 1, 1}
	}
	r.deeps[n] = out
	return out
}

// children evaluates what is inside a map or list; where nothing changes, the
// node itself is kept.
func (r *resolver) children(n *node.Node) extent {
	total := extent{n, 1, 1}
	changed := false
	add := func(child *node.Node) *node.Node {
		e := r.extent(child)
		changed = changed || e.node != child
		total.size = min(total.size+e.size, maxNodes+1)
		total.height = max(total.height, e.height+1)
		return e.node
	}
	items := make([]*node.Node, len(n.Items))
	for i, it := range n.Items {
		items[i] = add(it)
	}
	pairs := make([]node.Pair, len(n.Pairs))
	for i, p := range n.Pairs {
		pairs[i] = node.Pair{Key: p.Key, Value: add(p.Value)}
	}
	if changed {
		out := *n
		out.Items, out.Pairs = items, pairs
		total.node = &out
	}
	return total
}
