package cfn

import (
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
)

// apply evaluates any function but Fn::If.
func (e *eval) apply(fn string, n, arg *node.Node) alt {
	switch fn {
	case "Ref":
		if arg.Kind != node.String {
			break
		}
		return e.ref(n, arg.Text)
	case "Fn::GetAtt":
		return e.getAtt(n, arg)
	case "Fn::Sub":
		return e.sub(n, arg)
	case "Fn::Join":
		return e.join(n, arg)
	case "Fn::Select":
		return e.selectItem(n, arg)
	case "Fn::Split":
		return e.split(n, arg)
	case "Fn::FindInMap":
		return e.findInMap(n, arg)
	}
	return e.unknown(n)
}

const atDeployment = " is known only when deployed"

// unknown is a call whose result only a deployment gives.
func (e *eval) unknown(n *node.Node) alt {
	return alt{why: expression(n), sym: mark(canon(n)), at: n.At}
}

// expression writes a call in its short form for messages.
func expression(n *node.Node) string {
	fn, arg, ok := call(n)
	if !ok {
		return quote(n.Text)
	}
	var text string
	switch arg.Kind {
	case node.Seq, node.Map:
		text = "(" + strings.TrimSuffix(strings.TrimPrefix(canon(arg), "["), "]") + ")"
		if fn == "Fn::GetAtt" {
			text = " " + strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(canon(n), `"`, ""), "Fn::GetAtt("), ")")
		}
	default:
		text = " " + arg.Text
	}
	if r := []rune(text); len(r) > 120 {
		text = string(r[:117]) + "..."
	}
	return "!" + strings.TrimPrefix(fn, "Fn::") + text
}

// text is a text made at the place of an expression.
func text(at *node.Node, s, sym string) alt {
	a := alt{node: &node.Node{Kind: node.String, Text: s, At: at.At}, at: at.At}
	if hasMark(sym) {
		a.sym = sym
	}
	return a
}

// ref evaluates Ref, or a name in Fn::Sub, standing at n.
func (e *eval) ref(n *node.Node, name string) alt {
	if name == noValue {
		return alt{at: n.At}
	}
	if p, ok := e.t.params[name]; ok {
		if p.value == nil {
			return alt{why: p.why, sym: refMark(name), at: n.At}
		}
		here := *p.value
		here.At = n.At
		return alt{node: &here, at: n.At}
	}
	if v, ok := e.t.pseudo[name]; ok {
		return text(n, v, plain(v))
	}
	if strings.HasPrefix(name, "AWS::") {
		return alt{why: "!Ref " + name + atDeployment, sym: refMark(name), at: n.At}
	}
	r := e.t.byID[name]
	if r == nil {
		return alt{why: "!Ref " + name + " names no parameter or resource", sym: refMark(name), at: n.At}
	}
	if isTable(r.typ) {
		if props := r.body.Get("Properties"); props != nil && !slices.Contains(e.naming, name) {
			e.naming = append(e.naming, name)
			v := e.field(e.resolve(props), "TableName")
			e.naming = e.naming[:len(e.naming)-1]
			if a := v.alts[0]; len(v.alts) == 1 && a.node != nil && a.node.Kind <= node.String {
				return text(n, scalarText(a.node), refMark(name))
			}
		}
	}
	return alt{why: "!Ref " + name + atDeployment, sym: refMark(name), at: n.At}
}

func isTable(typ string) bool {
	return typ == typeTable || typ == typeGlobalTable || typ == typeSimpleTable
}

// getAtt is never known; its mark is the same in every way to write it.
func (e *eval) getAtt(n, arg *node.Node) alt {
	name := arg.Text
	if arg.Kind == node.Seq {
		var parts []string
		for _, it := range arg.Items {
			a := e.single(it)
			if a.node == nil || a.node.Kind > node.String {
				return e.unknown(n)
			}
			parts = append(parts, scalarText(a.node))
		}
		name = strings.Join(parts, ".")
	}
	return alt{why: "!GetAtt " + name, sym: mark("GetAtt " + name), at: n.At}
}

// sub evaluates Fn::Sub, alone or with its map of variables.
func (e *eval) sub(n, arg *node.Node) alt {
	vars := &node.Node{Kind: node.Map}
	if arg.Kind == node.Seq {
		items, ok := e.args(n, arg, 2, 2, "[text, map of variables]")
		if !ok {
			return e.unknown(n)
		}
		arg, vars = items[0], items[1]
	}
	if a := e.single(arg); a.node != nil {
		arg = a.node
	}
	if arg.Kind != node.String || vars.Kind != node.Map {
		e.t.fault(wrongKind(arg, "the text of Fn::Sub"))
		return e.unknown(n)
	}
	var out builder
	for rest := arg.Text; rest != ""; {
		i := strings.Index(rest, "${")
		end := -1
		if i >= 0 {
			end = strings.IndexByte(rest[i:], '}')
		}
		if end < 0 {
			out.literal(rest)
			break
		}
		out.literal(rest[:i])
		name := rest[i+2 : i+end]
		rest = rest[i+end+1:]
		switch given := vars.Get(name); {
		case strings.HasPrefix(name, "!"):
			out.literal("${" + name[1:] + "}")
		case given != nil:
			out.add(e.single(given))
		case serverlessVariable.MatchString("${" + name):
			out.add(alt{why: "${" + name + "}", sym: mark("${" + name + "}")})
		case strings.Contains(name, "."):
			out.add(alt{why: "!GetAtt " + name, sym: mark("GetAtt " + name)})
		default:
			out.add(e.ref(n, name))
		}
	}
	return out.alt(n)
}

// builder puts a text together from parts that may be unknown.
type builder struct {
	text, sym strings.Builder
	why       string
	list      bool // a part was no text
}

// maxText is the longest text that is put together, in bytes.
const maxText = 1 << 16

func (b *builder) literal(s string) {
	if len(s)+b.sym.Len() > maxText {
		b.why = "a text of more than 65536 bytes"
		return
	}
	b.text.WriteString(s)
	b.sym.WriteString(plain(s))
}

func (b *builder) add(a alt) {
	switch {
	case a.why != "":
		// What the caller could give explains more than what AWS will give.
		if b.why == "" || strings.HasSuffix(b.why, atDeployment) {
			b.why = a.why
		}
	case a.absent():
		return
	case a.node.Kind > node.String:
		b.list = true
	default:
		b.text.WriteString(scalarText(a.node)[:min(maxText, len(scalarText(a.node)))])
	}
	if sym := symText(a); len(sym)+b.sym.Len() <= maxText {
		b.sym.WriteString(sym)
		return
	}
	b.why = "a text of more than 65536 bytes"
}

func (b *builder) alt(n *node.Node) alt {
	switch {
	case b.list:
		return alt{why: expression(n) + " joins what is no text", sym: mark(canon(n)), at: n.At}
	case b.sym.Len() > maxText || strings.HasPrefix(b.why, "a text of more"):
		return alt{why: b.why, sym: mark(canon(n)), at: n.At}
	case b.why != "":
		return alt{why: b.why, sym: b.sym.String(), at: n.At}
	}
	return text(n, b.text.String(), b.sym.String())
}

// join evaluates Fn::Join.
func (e *eval) join(n, arg *node.Node) alt {
	items, ok := e.args(n, arg, 2, 2, "[separator, list]")
	if !ok {
		return e.unknown(n)
	}
	sep, list := e.single(items[0]), e.single(items[1])
	switch {
	case list.why != "":
		return alt{why: list.why, sym: mark(canon(n)), at: n.At}
	case sep.node == nil || sep.node.Kind > node.String || list.node == nil || list.node.Kind != node.Seq:
		return e.unknown(n)
	}
	var out builder
	first := true
	for _, it := range list.node.Items {
		a := e.single(it)
		if a.absent() {
			continue
		}
		if !first {
			out.literal(scalarText(sep.node))
		}
		out.add(a)
		first = false
	}
	return out.alt(n)
}

// selectItem evaluates Fn::Select.
func (e *eval) selectItem(n, arg *node.Node) alt {
	items, ok := e.args(n, arg, 2, 2, "[index, list]")
	if !ok {
		return e.unknown(n)
	}
	index, list := e.single(items[0]), e.single(items[1])
	if list.why != "" {
		return alt{why: list.why, sym: mark(canon(n)), at: n.At}
	}
	if index.node == nil || index.node.Kind > node.String || list.node == nil || list.node.Kind != node.Seq {
		return e.unknown(n)
	}
	i, err := strconv.Atoi(strings.TrimSpace(index.node.Text))
	if err != nil || i < 0 || i >= len(list.node.Items) {
		e.t.faultf(items[0].At, "found index %s of Fn::Select, expected 0 to %d", quote(index.node.Text), len(list.node.Items)-1)
		return e.unknown(n)
	}
	return e.single(list.node.Items[i])
}

// split evaluates Fn::Split of a text that is known.
func (e *eval) split(n, arg *node.Node) alt {
	items, ok := e.args(n, arg, 2, 2, "[separator, text]")
	if !ok {
		return e.unknown(n)
	}
	sep, whole := e.single(items[0]), e.single(items[1])
	if whole.why != "" {
		return alt{why: whole.why, sym: mark(canon(n)), at: n.At}
	}
	if sep.node == nil || sep.node.Text == "" || whole.node == nil || whole.node.Kind > node.String {
		return e.unknown(n)
	}
	list := &node.Node{Kind: node.Seq, At: n.At}
	for part := range strings.SplitSeq(scalarText(whole.node), sep.node.Text) {
		list.Items = append(list.Items, &node.Node{Kind: node.String, Text: part, At: n.At})
	}
	return alt{node: list, at: n.At}
}

// findInMap evaluates Fn::FindInMap, with the default of
// AWS::LanguageExtensions.
func (e *eval) findInMap(n, arg *node.Node) alt {
	items, ok := e.args(n, arg, 3, 4, "[map, key, key]")
	if !ok {
		return e.unknown(n)
	}
	var def *node.Node
	if len(items) == 4 {
		def = items[3].Get("DefaultValue")
	}
	at, path := e.t.doc.Get("Mappings"), "Mappings"
	for _, it := range items[:3] {
		a := e.single(it)
		if a.node == nil || a.node.Kind > node.String {
			why := a.why
			if why == "" {
				why = expression(n)
			}
			return alt{why: why, sym: mark(canon(n)), at: n.At}
		}
		next := at.Get(scalarText(a.node))
		if next == nil && def != nil {
			return e.single(def)
		}
		if next == nil {
			e.t.faultf(it.At, "%s has no key %s", path, quote(scalarText(a.node)))
			return e.unknown(n)
		}
		at, path = next, path+"."+scalarText(a.node)
	}
	if at.Kind == node.Map {
		return e.unknown(n)
	}
	here := *at
	here.At = n.At
	return alt{node: &here, at: n.At}
}
