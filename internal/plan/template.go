package plan

import (
	"strconv"
	"strings"
)

// A piece is a literal or, with Attr, the name of an attribute whose value
// stands there.
type piece struct {
	Text string
	Attr bool
}

// A template is a key format such as "USER#{userId}", cut into pieces.
type template []piece

// parseTemplate cuts a template. A brace without its partner is literal text.
func parseTemplate(s string) (t template) {
	for s != "" {
		open := strings.IndexByte(s, '{')
		end := -1
		if open >= 0 {
			end = strings.IndexByte(s[open:], '}')
		}
		if end < 0 {
			return append(t, piece{s, false})
		}
		if open > 0 {
			t = append(t, piece{s[:open], false})
		}
		t = append(t, piece{s[open+1 : open+end], true})
		s = s[open+end+1:]
	}
	return t
}

// String is the template as written.
func (t template) String() string {
	var b strings.Builder
	for _, p := range t {
		if p.Attr {
			b.WriteString("{" + p.Text + "}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// attributes are the names of the places, in order.
func (t template) attributes() (names []string) {
	for _, p := range t {
		if p.Attr {
			names = append(names, p.Text)
		}
	}
	return names
}

// has tells whether the template has a place for the attribute.
func (t template) has(attribute string) bool {
	for _, p := range t {
		if p.Attr && p.Text == attribute {
			return true
		}
	}
	return false
}

// lead is the literal text before the first place.
func (t template) lead() string {
	if len(t) == 0 || t[0].Attr {
		return ""
	}
	return t[0].Text
}

// fitsNumber tells whether a value made so can be a number.
func (t template) fitsNumber() bool {
	if len(t) == 1 && !t[0].Attr {
		_, err := strconv.ParseFloat(t[0].Text, 64)
		return err == nil
	}
	for _, p := range t {
		if !p.Attr && strings.Trim(p.Text, "-.0123456789") != "" {
			return false
		}
	}
	return true
}

// strongDelimiters part the pieces of composite keys by convention and are
// taken not to occur inside a piece's value.
const strongDelimiters = "#|"

type symbolKind uint8

const (
	symRune symbolKind = iota
	symAtom            // the value of an attribute that both templates name
	symOne             // any one rune
	symMany            // any runes, or none
)

type symbol struct {
	kind symbolKind
	r    rune
	name string
	free bool // symOne and symMany: delimiters are allowed too
}

// symbols turns a template into what matching consumes. An attribute that the
// other template names too is the same value in both, hence one atom.
func (t template) symbols(other template, free bool) (out []symbol) {
	for _, p := range t {
		switch {
		case !p.Attr:
			for _, r := range p.Text {
				out = append(out, symbol{kind: symRune, r: r})
			}
		case other.has(p.Text):
			out = append(out, symbol{kind: symAtom, name: p.Text})
		default:
			out = append(out, symbol{kind: symOne, free: free}, symbol{kind: symMany, free: free})
		}
	}
	return out
}

// matches tells whether some value made like given can equal (or, with
// prefix, begin) some key made like key.
func matches(given, key template, prefix bool) bool {
	a, b := given.symbols(key, false), key.symbols(given, true)
	type state struct{ i, j int }
	seen := map[state]bool{}
	var reach func(i, j int) bool
	reach = func(i, j int) bool {
		if i == len(a) && (prefix || j == len(b)) {
			return true
		}
		s := state{i, j}
		if seen[s] {
			return false
		}
		seen[s] = true
		if i < len(a) && a[i].kind == symMany && reach(i+1, j) {
			return true
		}
		if j < len(b) && b[j].kind == symMany && reach(i, j+1) {
			return true
		}
		if i == len(a) || j == len(b) || !meet(a[i], b[j]) {
			return false
		}
		ni, nj := i+1, j+1
		if a[i].kind == symMany {
			ni = i
		}
		if b[j].kind == symMany {
			nj = j
		}
		return reach(ni, nj)
	}
	return reach(0, 0)
}

// meet tells whether one value can be consumed by both symbols.
func meet(a, b symbol) bool {
	if a.kind >= symOne && b.kind >= symOne {
		return true
	}
	if a.kind >= symOne {
		a, b = b, a
	}
	if b.kind >= symOne {
		return b.free || a.kind == symAtom || !strings.ContainsRune(strongDelimiters, a.r)
	}
	return a.kind == b.kind && a.r == b.r && a.name == b.name
}

// canLie tells whether a key made like key can lie at or above (or, with
// below, at or under) a bound made like bound. Only the literal beginnings are
// compared; where these do not decide, it can.
func canLie(key, bound template, below bool) bool {
	k, b := []byte(key.lead()), []byte(bound.lead())
	for i := range min(len(k), len(b)) {
		if k[i] != b[i] {
			return (k[i] < b[i]) == below
		}
	}
	return true
}

// settled is the number of places of key whose value the prefix given fixes
// entirely: those behind which given goes on with key's next literal.
func settled(given, key template) (n int) {
	text := given.String()
	for i, p := range key {
		if !p.Attr {
			rest, ok := strings.CutPrefix(text, p.Text)
			if !ok {
				return n
			}
			text = rest
			continue
		}
		if i+1 == len(key) || key[i+1].Attr {
			return n
		}
		end := strings.Index(text, key[i+1].Text)
		if end < 0 {
			return n
		}
		text = text[end:]
		n++
	}
	return n
}
