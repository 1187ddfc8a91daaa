package cfn

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// scalar reads a value as T. Where it may be left out, def (if any) is what
// DynamoDB then takes, at the given place.
func scalar[T comparable](e *eval, v value, conv func(*node.Node) (T, string), def *source.Value[T]) source.Value[T] {
	var out []source.Value[T]
	for _, a := range v.alts {
		switch {
		case a.absent() && def != nil:
			out = append(out, *def)
		case a.absent():
			out = append(out, source.Absent[T](a.at))
		case a.why != "":
			out = append(out, source.Unresolved[T](a.why, a.at))
		default:
			x, want := conv(a.node)
			if want != "" {
				e.t.fault(wrongKind(a.node, want))
				out = append(out, source.Unresolved[T]("expected "+want, a.at))
				continue
			}
			out = append(out, source.Written(x, a.at))
		}
	}
	return agree(out, v.why, v.at())
}

// agree is the one value of several, or unresolved for the reason given.
func agree[T comparable](vs []source.Value[T], why string, at source.Span) source.Value[T] {
	first := vs[0]
	for _, v := range vs[1:] {
		a, known := first.Get()
		b, also := v.Get()
		same := known && also && a == b || first.Absent() && v.Absent()
		if !same {
			if why == "" {
				why = "differs"
			}
			return source.Unresolved[T](why, at)
		}
		if v.Written() && !first.Written() {
			first = v
		}
	}
	return first
}

func isScalar(n *node.Node) bool { return n.Kind != node.Map && n.Kind != node.Seq }

func asText(n *node.Node) (string, string) {
	if !isScalar(n) || n.Kind == node.Null {
		return "", "text"
	}
	return scalarText(n), ""
}

// oneOf reads one of the words an API property takes.
func oneOf(words ...string) func(*node.Node) (string, string) {
	return func(n *node.Node) (string, string) {
		if s, want := asText(n); want == "" && slices.Contains(words, s) {
			return s, ""
		}
		return "", "one of " + strings.Join(words, ", ")
	}
}

// asUnits reads a whole number; "5", 5.0 and 5 are the same.
func asUnits(n *node.Node) (int64, string) {
	const want = "a whole number"
	s := strings.TrimSpace(n.Text)
	if !isScalar(n) || n.Kind == node.Bool {
		return 0, want
	}
	if len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		return 0, "a whole number without a leading zero" // octal to some readers
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, ""
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, want
	}
	return int64(f), ""
}

func asFloat(n *node.Node) (float64, string) {
	f, err := strconv.ParseFloat(strings.TrimSpace(n.Text), 64)
	if !isScalar(n) || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, "a number"
	}
	return f, ""
}

// asBool reads a boolean, or its word as text; yes and no are booleans to the
// YAML 1.1 that CloudFormation reads.
func asBool(n *node.Node) (bool, string) {
	if isScalar(n) {
		switch strings.ToLower(strings.TrimSpace(n.Text)) {
		case "true", "yes", "on":
			return true, ""
		case "false", "no", "off":
			return false, ""
		}
	}
	return false, "true or false"
}

func (e *eval) text(v value) source.Value[string] { return scalar(e, v, asText, nil) }

func (e *eval) units(v value) source.Value[int64] { return scalar(e, v, asUnits, nil) }

func (e *eval) boolean(v value, at source.Span) source.Value[bool] {
	def := source.Defaulted(false, at)
	return scalar(e, v, asBool, &def)
}

func (e *eval) word(v value, words ...string) source.Value[string] {
	return scalar(e, v, oneOf(words...), nil)
}

// wordOr reads a word that has a default.
func (e *eval) wordOr(v value, at source.Span, def string, others ...string) source.Value[string] {
	d := source.Defaulted(def, at)
	return scalar(e, v, oneOf(append([]string{def}, others...)...), &d)
}

// list is a list value: the items that are certain, and why there may be more.
type list struct {
	items      []value
	at         source.Span
	incomplete string
}

// list reads a list. An item that is there in one case only makes the list
// incomplete; one that is there in every case, with the same text under the
// identifying key, is certain though parts of it may not be.
func (e *eval) list(v value, id string) list {
	out := list{at: v.at()}
	if len(v.alts) > 1 {
		out.incomplete = v.why
		out.items = e.common(v, id)
		return out
	}
	a := v.alts[0]
	switch {
	case a.absent():
	case a.why != "":
		out.incomplete = a.why
	case a.node.Kind != node.Seq:
		e.t.fault(wrongKind(a.node, "a list"))
		out.incomplete = "a list was expected"
	default:
		for _, it := range a.node.Items {
			e.addItem(&out, e.resolve(it), id)
		}
	}
	return out
}

func (e *eval) addItem(out *list, v value, id string) {
	a := v.alts[0]
	switch {
	case len(v.alts) > 1:
		if id != "" && e.identified(v, id) {
			out.items = append(out.items, v)
			return
		}
		if out.incomplete == "" {
			out.incomplete = v.why
		}
	case a.absent():
	case a.why != "" && id != "":
		if out.incomplete == "" {
			out.incomplete = a.why
		}
	default:
		out.items = append(out.items, v)
	}
}

// identified tells whether an item is there in every case under one name.
func (e *eval) identified(v value, id string) bool {
	for _, a := range v.alts {
		if a.node == nil || a.node.Kind != node.Map {
			return false
		}
	}
	return e.text(e.field(v, id)).Known()
}

// common are the items that every way of a list holds alike.
func (e *eval) common(v value, id string) (items []value) {
	count := map[string]int{}
	for _, a := range v.alts {
		if a.node == nil || a.node.Kind != node.Seq {
			return nil
		}
		for _, it := range a.node.Items {
			count[e.print(it)]++
		}
	}
	seen := map[string]bool{}
	for _, it := range v.alts[0].node.Items {
		key := e.print(it)
		if count[key] < len(v.alts) || seen[key] {
			continue
		}
		seen[key] = true
		if r := e.resolve(it); len(r.alts) == 1 && r.alts[0].node != nil && (id == "" || r.alts[0].node.Kind == node.Map) {
			items = append(items, r)
		}
	}
	return items
}

// texts reads a list of texts.
func (e *eval) texts(v value) source.List[source.Value[string]] {
	l := e.list(v, "")
	out := source.List[source.Value[string]]{At: l.at, Incomplete: l.incomplete}
	for _, it := range l.items {
		out.Items = append(out.Items, e.text(it))
	}
	return out
}

// checkNames reports keys of a map that are a slip of a known property, and
// remembers them, so that the property is not taken for left out.
func (e *eval) checkNames(v value, of string, known []string) {
	for _, a := range v.alts {
		if a.node == nil || a.node.Kind != node.Map {
			continue
		}
		for _, p := range a.node.Pairs {
			if slices.Contains(known, p.Key.Text) {
				continue
			}
			meant := nearest(p.Key.Text, known)
			if meant == "" {
				continue
			}
			e.t.faultf(p.Key.At, "unknown property %s of %s; did you mean %q", quote(p.Key.Text), of, meant)
			if e.t.misspelt[a.node] == nil {
				e.t.misspelt[a.node] = map[string]string{}
			}
			e.t.misspelt[a.node][meant] = p.Key.Text
		}
	}
}

// part is a map under a key, with its property names checked.
func (e *eval) part(v value, key string, known []string) value {
	out := e.field(v, key)
	e.checkNames(out, key, known)
	return out
}
