package cfn

import (
	"reflect"
	"slices"

	"ddbvet/internal/load/node"
	"ddbvet/internal/table"
)

// maxArms bounds how often one template is read again.
const maxArms = 8

// otherText stands for a value that a parameter without a default may have
// and that no condition names.
const otherText = "other"

// reading is one more value of a parameter, and how to call it.
type reading struct{ name, value, when string }

// addArms reads the template again with the other values that its conditions
// compare parameters with, and gives each table what it would be then. One
// value moves every condition that hangs on it, so an arm is coherent. A
// parameter that was given has its value and no other. Faults of those
// readings are left out: what is wrong in every reading is in the first.
func (t *template) addArms(o Options, tables []*table.Table) {
	for _, r := range t.readings(o) {
		given := map[string]string{r.name: r.value}
		for name, value := range o.Parameters {
			given[name] = value
		}
		others, _ := load(t.written, Options{Parameters: given})
		for _, tb := range tables {
			i := slices.IndexFunc(others, func(other *table.Table) bool { return other.LogicalName == tb.LogicalName })
			if i >= 0 && !reflect.DeepEqual(tableOnly(tb), tableOnly(others[i])) {
				tb.Arms = append(tb.Arms, table.Arm{When: r.when, Table: others[i]})
			}
		}
	}
}

// tableOnly is a table without what is no part of it: its arms, and whether it
// is made at all.
func tableOnly(t *table.Table) table.Table {
	c := *t
	c.Arms = nil
	c.Condition.At = c.At
	return c
}

// readings lists the values to read the template with, in the order of the
// conditions that name them.
func (t *template) readings(o Options) (out []reading) {
	add := func(name, value, when string) {
		same := func(r reading) bool { return r.name == name && r.value == value }
		if len(out) < maxArms && !slices.ContainsFunc(out, same) {
			out = append(out, reading{name, value, when})
		}
	}
	for _, c := range t.comparisons() {
		p, declared := t.params[c.name]
		if _, given := o.Parameters[c.name]; given || !declared && !Pseudo(c.name) {
			continue
		}
		if p.value == nil || p.value.Text != c.value {
			add(c.name, c.value, c.name+" is "+c.value)
		}
		for _, value := range t.allowed(c.name) {
			if p.value == nil || p.value.Text != value {
				add(c.name, value, c.name+" is "+value)
			}
		}
		if declared && p.value == nil && len(t.allowed(c.name)) == 0 {
			add(c.name, otherText, c.name+" is not "+c.value)
		}
	}
	return out
}

// comparison is a parameter compared with a literal.
type comparison struct{ name, value string }

// comparisons finds the parameters that conditions compare with literals.
func (t *template) comparisons() (out []comparison) {
	var walk func(n *node.Node, depth int)
	walk = func(n *node.Node, depth int) {
		if n == nil || depth > maxDepth {
			return
		}
		fn, arg, ok := call(n)
		if !ok {
			arg = n
		}
		if fn == "Fn::Equals" && arg.Kind == node.Seq && len(arg.Items) == 2 {
			for i, side := range arg.Items {
				other := arg.Items[1-i]
				if ref, name, isRef := call(side); isRef && ref == "Ref" && isLiteral(other) {
					out = append(out, comparison{name.Text, other.Text})
				}
			}
		}
		for _, item := range arg.Items {
			walk(item, depth+1)
		}
		for _, p := range arg.Pairs {
			walk(p.Value, depth+1)
		}
	}
	for _, p := range t.section("Conditions") {
		walk(p.Value, 0)
	}
	return out
}

func isLiteral(n *node.Node) bool {
	_, _, function := call(n)
	return !function && n.Kind != node.Map && n.Kind != node.Seq && n.Kind != node.Null && !deployTime(n.Text)
}

// allowed lists a parameter's AllowedValues.
func (t *template) allowed(name string) (out []string) {
	for _, p := range t.section("Parameters") {
		if p.Key.Text != name {
			continue
		}
		if list := p.Value.Get("AllowedValues"); list != nil {
			for _, v := range list.Items {
				out = append(out, v.Text)
			}
		}
	}
	return out
}
