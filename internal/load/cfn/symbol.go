package cfn

import (
	"slices"
	"strings"

	"ddbvet/internal/load/node"
)

// mark stands for an unknown part in a symbolic text. YAML text holds no NUL,
// and literal NULs of JSON are replaced (plain), so marks cannot be forged.
func mark(of string) string { return "\x00" + plain(of) + "\x00" }

func plain(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }

// refMark and arnMark stand for what a resource's Ref and its Arn return.
func refMark(id string) string { return mark("Ref " + id) }
func arnMark(id string) string { return mark("GetAtt " + id + ".Arn") }

// hasMark tells whether a part of a symbolic text is unknown.
func hasMark(sym string) bool { return strings.Contains(sym, "\x00") }

// markVariables is the symbolic form of a text that was resolved in part: what
// stands in "${...}" is unknown, the rest is literal.
func markVariables(text string) string {
	if !strings.Contains(text, "${") {
		return mark(text)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(plain(before))
		if !found {
			return b.String()
		}
		end, open := 0, 1
		for end < len(rest) && open > 0 {
			switch {
			case rest[end] == '}':
				open--
			case strings.HasPrefix(rest[end:], "${"):
				open++
			}
			end++
		}
		b.WriteString(mark("${" + rest[:end]))
		text = rest[end:]
	}
}

// symText is the symbolic form of an evaluated text.
func symText(a alt) string {
	switch {
	case a.sym != "":
		return a.sym
	case a.node != nil:
		return plain(scalarText(a.node))
	}
	return ""
}

// cutSym cuts a symbolic text at the first sep that is not inside a mark.
func cutSym(sym, sep string) (before, after string, found bool) {
	parts := strings.Split(sym, "\x00")
	for i := 0; i < len(parts); i += 2 { // even parts are literal
		if b, a, ok := strings.Cut(parts[i], sep); ok {
			head := slices.Concat(parts[:i], []string{b})
			tail := slices.Concat([]string{a}, parts[i+1:])
			return strings.Join(head, "\x00"), strings.Join(tail, "\x00"), true
		}
	}
	return sym, "", false
}

// mayEqual tells whether a symbolic text can turn out as the literal one.
func mayEqual(sym, literal string) bool {
	parts := strings.Split(sym, "\x00")
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return first == literal
	}
	if !strings.HasPrefix(literal, first) || len(literal) < len(first)+len(last) || !strings.HasSuffix(literal, last) {
		return false
	}
	rest := literal[len(first) : len(literal)-len(last)]
	for i := 2; i < len(parts)-1; i += 2 {
		j := strings.Index(rest, parts[i])
		if j < 0 {
			return false
		}
		rest = rest[j+len(parts[i]):]
	}
	return true
}

// The bounds on the comparison texts, in bytes. A longer one is replaced by
// the place of its node: equal only to itself.
const (
	maxCanon = 4096
	maxPrint = 1 << 20
)

// canon writes an expression so that equal texts are equal expressions,
// whichever form they are written in.
func canon(n *node.Node) string {
	w := &writer{limit: maxCanon}
	w.canon(n)
	return w.text(n)
}

// print writes a node with everything inside it evaluated, for comparison.
func (e *eval) print(n *node.Node) string {
	w := &writer{limit: maxPrint}
	w.value(e, n)
	return w.text(n)
}

type writer struct {
	strings.Builder
	limit int
}

func (w *writer) full() bool { return w.Len() > w.limit }

func (w *writer) text(n *node.Node) string {
	if w.full() {
		return "long expression at " + n.At.String()
	}
	return w.String()
}

// quoted writes a text; of one beyond the limit only so much that it is full.
func (w *writer) quoted(s string) {
	s = s[:min(len(s), w.limit+1)]
	w.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`)
}

func (w *writer) canon(n *node.Node) {
	if w.full() {
		return
	}
	if fn, arg, ok := call(n); ok {
		w.WriteString(fn + "(")
		if fn == "Fn::GetAtt" && arg.Kind == node.Seq {
			w.each(arg.Items, ".", w.canon)
		} else {
			w.canon(arg)
		}
		w.WriteByte(')')
		return
	}
	w.structure(n, w.canon)
}

func (w *writer) value(e *eval, n *node.Node) {
	if w.full() {
		return
	}
	v := e.resolve(n)
	switch a := v.alts[0]; {
	case len(v.alts) > 1:
		w.WriteString("?" + canon(n))
	case a.absent():
		w.WriteByte('-')
	case a.why != "" && a.sym == "":
		w.WriteString("?" + canon(n))
	case a.why != "":
		w.WriteString("?" + a.sym)
	default:
		w.structure(a.node, func(n *node.Node) { w.value(e, n) })
	}
}

// structure writes a node, and what is inside it by the given function.
func (w *writer) structure(n *node.Node, inside func(*node.Node)) {
	switch n.Kind {
	case node.Seq:
		w.WriteByte('[')
		w.each(n.Items, ",", inside)
		w.WriteByte(']')
	case node.Map:
		w.WriteByte('{')
		pairs := slices.SortedStableFunc(slices.Values(n.Pairs), func(a, b node.Pair) int {
			return strings.Compare(a.Key.Text, b.Key.Text)
		})
		for i, p := range pairs {
			if w.full() {
				return
			}
			if i > 0 {
				w.WriteByte(',')
			}
			w.quoted(p.Key.Text)
			w.WriteByte(':')
			inside(p.Value)
		}
		w.WriteByte('}')
	default:
		w.quoted(scalarText(n))
	}
}

func (w *writer) each(items []*node.Node, sep string, inside func(*node.Node)) {
	for i, it := range items {
		if w.full() {
			return
		}
		if i > 0 {
			w.WriteString(sep)
		}
		inside(it)
	}
}
