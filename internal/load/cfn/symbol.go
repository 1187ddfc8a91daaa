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

// canon writes an expression so that equal texts are equal expressions,
// whichever form they are written in.
func canon(n *node.Node) string {
	var b strings.Builder
	writeCanon(&b, n)
	return b.String()
}

const maxCanon = 4096 // bytes; longer expressions are cut, with their place

func writeCanon(b *strings.Builder, n *node.Node) {
	if b.Len() > maxCanon {
		b.WriteString(n.At.String())
		return
	}
	if fn, arg, ok := call(n); ok {
		b.WriteString(fn + "(")
		if fn == "Fn::GetAtt" && arg.Kind == node.Seq {
			for i, it := range arg.Items {
				if i > 0 {
					b.WriteByte('.')
				}
				writeCanon(b, it)
			}
		} else {
			writeCanon(b, arg)
		}
		b.WriteByte(')')
		return
	}
	switch n.Kind {
	case node.Seq:
		b.WriteByte('[')
		for _, it := range n.Items {
			writeCanon(b, it)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case node.Map:
		b.WriteByte('{')
		for _, p := range byKey(n.Pairs) {
			b.WriteString(quoteAll(p.Key.Text) + ":")
			writeCanon(b, p.Value)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		b.WriteString(quoteAll(scalarText(n)))
	}
}

func byKey(pairs []node.Pair) []node.Pair {
	return slices.SortedStableFunc(slices.Values(pairs), func(a, b node.Pair) int {
		return strings.Compare(a.Key.Text, b.Key.Text)
	})
}

func quoteAll(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// print writes a node with everything inside it evaluated, for comparison.
func (e *eval) print(n *node.Node) string {
	var b strings.Builder
	e.writeValue(&b, n)
	return b.String()
}

func (e *eval) writeValue(b *strings.Builder, n *node.Node) {
	v := e.resolve(n)
	a := v.alts[0]
	switch {
	case len(v.alts) > 1:
		b.WriteString("?" + canon(n))
	case a.absent():
		b.WriteByte('-')
	case a.why != "":
		if a.sym == "" {
			a.sym = mark(canon(n))
		}
		b.WriteString("?" + a.sym)
	case a.node.Kind == node.Seq:
		b.WriteByte('[')
		for _, it := range a.node.Items {
			e.writeValue(b, it)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case a.node.Kind == node.Map:
		b.WriteByte('{')
		for _, p := range byKey(a.node.Pairs) {
			b.WriteString(quoteAll(p.Key.Text) + ":")
			e.writeValue(b, p.Value)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		b.WriteString(quoteAll(scalarText(a.node)))
	}
}
