package plan

import (
	"fmt"
	"strings"

	"ddbvet/internal/table"
)

// A resolved is what the conditions of a pattern come to on one view for one
// entity (or none): conditions on key attributes, and what is left over.
type resolved struct {
	Key  []cond
	Left []cond
	// hint says, for a templated key attribute that the conditions do not
	// give, what its template still needs.
	hint map[string]string
	gaps []miss
}

// A resolver expresses conditions on natural attributes through the key
// templates of an entity: userId = :u becomes PK = "USER#{userId}".
type resolver struct {
	v      *view
	e      *table.Entity
	conds  []cond
	fanout bool // queries go to every shard: one place of the partition may be open
	whole  bool // the operation takes a whole key: no prefixes
	used   map[string]bool
	out    resolved
}

func resolve(v *view, e *table.Entity, conds []cond, fanout, whole bool) resolved {
	r := &resolver{v: v, e: e, conds: conds, fanout: fanout, whole: whole, used: map[string]bool{}}
	r.out.hint = map[string]string{}
	natural := false
	for _, c := range conds {
		natural = natural || !v.has(c.Attr)
	}
	for i, a := range v.key() {
		if c := find(conds, a.Name); c != nil {
			r.out.Key = append(r.out.Key, *c)
			r.used[a.Name] = true
			continue
		}
		tmpl, ok := keyTemplate(e, a.Name)
		switch {
		case !ok || !natural:
		case i < len(v.Partition):
			r.partition(a.Name, tmpl)
		default:
			r.sort(a.Name, tmpl)
		}
	}
	for _, c := range conds {
		if !r.used[c.Attr] {
			r.out.Left = append(r.out.Left, c)
		}
	}
	return r.out
}

// keyTemplate is the entity's known template of a key attribute.
func keyTemplate(e *table.Entity, attr string) (template, bool) {
	if e == nil {
		return nil, false
	}
	v, _ := e.KeyTemplate(attr)
	text, ok := v.Get()
	return parseTemplate(text), ok
}

// natural is the condition on a natural attribute, or nil.
func (r *resolver) natural(attr string) *cond {
	if r.v.has(attr) {
		return nil
	}
	return find(r.conds, attr)
}

func (r *resolver) partition(attr string, t template) {
	var open, given []string
	for _, name := range t.attributes() {
		if c := r.natural(name); c != nil && !c.isRange() {
			given = append(given, name)
		} else {
			open = append(open, name)
		}
	}
	r.take(given...)
	if len(open) > 0 && (!r.fanout || len(open) > 1 || len(given) == 0) {
		r.out.hint[attr] = fmt.Sprintf("it is made as %q, and %q is not given by equality", t, open[0])
		return
	}
	r.out.Key = append(r.out.Key, cond{Attr: attr, Op: opEq, Operands: []operand{made(t)}, Start: -1, End: -1})
}

func (r *resolver) take(attrs ...string) {
	for _, a := range attrs {
		r.used[a] = true
	}
}

func made(t template) operand { return operand{Written: `"` + t.String() + `"`, Made: t, Known: true} }

// sort composes the longest condition on a templated sort attribute: equality
// when every place is given, else a prefix, with at most one range at its end.
func (r *resolver) sort(attr string, t template) {
	var prefix template
	for i, p := range t {
		if !p.Attr {
			prefix = append(prefix, p)
			continue
		}
		c := r.natural(p.Text)
		if c == nil {
			r.gap(attr, p.Text, t[i+1:])
			r.begins(attr, prefix)
			return
		}
		if c.isRange() {
			r.ranged(attr, c, prefix, t[i:])
			return
		}
		r.take(p.Text)
		prefix = append(prefix, p)
	}
	r.out.Key = append(r.out.Key, cond{Attr: attr, Op: opEq, Operands: []operand{made(prefix)}, Start: -1, End: -1})
}

func (r *resolver) begins(attr string, prefix template) {
	if r.whole {
		return
	}
	if len(prefix) > 0 {
		r.out.Key = append(r.out.Key, cond{Attr: attr, Op: opBeginsWith, Operands: []operand{made(prefix)}, Start: -1, End: -1})
	}
}

// gap notes conditions on places behind one that is not given.
func (r *resolver) gap(attr, open string, rest template) {
	r.out.hint[attr] = fmt.Sprintf("it is made of %q, which is not given", open)
	for _, name := range rest.attributes() {
		if c := r.natural(name); c != nil && !r.used[name] {
			r.take(name)
			r.out.gaps = append(r.out.gaps, missAt(c, SortGap,
				"the sort key %q of %s holds %q before %q, and the key condition gives only %q", attr, r.v, open, name, name).about(open))
		}
	}
}

// lastRune stands for "above every value" in the bounds shown to people.
const lastRune = "~"

// ranged composes a range on one place: rest begins with that place.
func (r *resolver) ranged(attr string, c *cond, prefix, rest template) {
	r.take(c.Attr)
	for _, name := range rest[1:].attributes() {
		if later := r.natural(name); later != nil && !r.used[name] {
			r.take(name)
			r.out.gaps = append(r.out.gaps, missAt(c, RangeNotLast,
				"a range must be the last condition, and %q is compared by %s before %q in the sort key %q of %s", c.Attr, c.Op, name, attr, r.v))
		}
	}
	end := template{}
	if len(rest) > 1 {
		end = template{{Text: lastRune}}
	}
	out := cond{Attr: attr, Op: c.Op, Start: c.Start, End: c.End}
	bound := func(o operand, tail template) operand { return made(concat(prefix, place(o), tail)) }
	low, high := made(prefix), made(concat(prefix, template{{Text: lastRune}}))
	switch c.Op {
	case opBeginsWith:
		out.Operands = []operand{bound(c.Operands[0], nil)}
	case opBetween:
		out.Operands = []operand{bound(c.Operands[0], nil), bound(c.Operands[1], end)}
	default:
		tail := template(nil)
		if c.Op == opGt || c.Op == opLe {
			tail = end
		}
		out.Operands = []operand{bound(c.Operands[0], tail)}
		if len(prefix) > 0 { // other kinds of item lie on both sides of the prefix
			out.Op = opBetween
			if c.Op == opLt || c.Op == opLe {
				out.Operands = []operand{low, out.Operands[0]}
			} else {
				out.Operands = append(out.Operands, high)
			}
		}
	}
	r.out.Key = append(r.out.Key, out)
}

// place is an operand inside a composed key: its template, or its placeholder
// as a place of its own.
func place(o operand) template {
	if o.Known {
		return o.Made
	}
	return template{{Text: o.Written, Attr: true}}
}

func concat(parts ...template) (out template) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// mismatch tells why no key of the entity can meet a condition written on a
// key attribute; "" when one can, or when it is not known.
func mismatch(v *view, e *table.Entity, c *cond) string {
	key, ok := keyTemplate(e, c.Attr)
	name, _ := e.Name.Get()
	if !ok {
		return ""
	}
	for i, o := range c.Operands {
		if !o.Known || len(o.Made) == 1 && o.Made[0].Attr && strings.EqualFold(o.Made[0].Text, c.Attr) {
			continue
		}
		switch below := c.Op == opLt || c.Op == opLe || i == 1; {
		case c.Op == opEq && matches(o.Made, key, false):
		case c.Op == opEq && matches(o.Made, key, true):
			return fmt.Sprintf("%s = %q matches no item of %s: the keys of entity %q are made as %q, and without the suffix the key matches none of them; "+
				"give the whole key, or send one query for each suffix", c.Attr, o.Made, v, name, key)
		case c.Op == opBeginsWith && matches(o.Made, key, true):
		case c.Op != opEq && c.Op != opBeginsWith && canLie(key, o.Made, below):
		default:
			return fmt.Sprintf("%s %s %q matches no item of %s: the keys of entity %q are made as %q", c.Attr, c.Op, o.Made, v, name, key)
		}
	}
	return ""
}
