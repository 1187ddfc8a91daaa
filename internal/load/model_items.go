package load

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/profile"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// decimal reads a number that need not be whole.
func (r *fields) decimal(n *node.Node, key string) source.Value[float64] {
	v := member(n, key)
	if v == nil {
		return source.Absent[float64](at(n))
	}
	if f, err := strconv.ParseFloat(v.Text, 64); v.Kind == node.Number && err == nil {
		return source.Written(f, v.At)
	}
	return source.Unresolved[float64](r.wrong(v, key, "a number"), v.At)
}

// profile measures the sample data of a table, its own and that of its facets,
// or is nil where there is none. Items of the same primary key are one item.
func (r *modelReader) profile(n *node.Node, t *table.Table) *table.Profile {
	items := r.sample(n, t.Key)
	if len(items) == 0 {
		return nil
	}
	p := &table.Profile{Items: int64(len(items)), Source: table.FromModel, Size: sizes(items)}
	add := func(k table.Key) {
		for _, e := range k.Elements {
			name, ok := e.Name.Get()
			if !ok || p.Key(name) != nil {
				continue
			}
			if k, some := distribution(items, name); some {
				p.Keys = append(p.Keys, k)
			}
		}
	}
	add(t.Key)
	for _, ix := range t.Indexes() {
		add(ix.Key)
	}
	return p
}

// sample are the items of a table, each once.
func (r *modelReader) sample(n *node.Node, key table.Key) (out []*node.Node) {
	lists := []*node.Node{n}
	facets, _, _ := r.list(n, "TableFacets")
	seen := map[string]bool{}
	for _, from := range append(lists, facets...) {
		items, _, _ := r.list(from, "TableData")
		for _, item := range items {
			id, whole := identity(item, key)
			if whole && seen[id] {
				continue
			}
			seen[id] = seen[id] || whole
			out = append(out, item)
		}
	}
	return out
}

// identity is the primary key of an item, and whether it has all of it.
func identity(item *node.Node, key table.Key) (string, bool) {
	var b strings.Builder
	for _, e := range key.Elements {
		name, ok := e.Name.Get()
		v, has := scalar(item.Get(name))
		if !ok || !has {
			return "", false
		}
		b.WriteString(strconv.Quote(v))
	}
	return b.String(), key.Complete()
}

// scalar is the type and the text of a key value, {"S": "x"}.
func scalar(v *node.Node) (string, bool) {
	if v == nil || v.Kind != node.Map || len(v.Pairs) != 1 {
		return "", false
	}
	p := v.Pairs[0]
	if p.Value.Kind != node.String && p.Value.Kind != node.Number || p.Value.Text == "" {
		return "", false
	}
	return p.Key.Text + " " + p.Value.Text, true
}

// distribution counts the values of an attribute over the items that have it.
func distribution(items []*node.Node, attribute string) (table.KeyProfile, bool) {
	counts, total, most := map[string]int64{}, int64(0), int64(0)
	for _, item := range items {
		if v, ok := scalar(item.Get(attribute)); ok {
			counts[v]++
			total++
			most = max(most, counts[v])
		}
	}
	if total == 0 {
		return table.KeyProfile{}, false
	}
	return table.KeyProfile{Attribute: attribute, Distinct: int64(len(counts)), TopShare: float64(most) / float64(total)}, true
}

// sizes are the 50th, 90th and 99th percentile (nearest rank) and the largest
// size of the items that are valid DynamoDB JSON. Workbench keeps others too.
func sizes(items []*node.Node) (out [4]int64) {
	var all []int64
	for _, item := range items {
		if n, err := profile.ItemSize(appendJSON(nil, item)); err == nil {
			all = append(all, int64(n))
		}
	}
	if len(all) == 0 {
		return out
	}
	slices.Sort(all)
	for i, percent := range []int{50, 90, 99, 100} {
		out[i] = all[(percent*len(all)+99)/100-1]
	}
	return out
}

// appendJSON writes a node as the JSON it was read from.
func appendJSON(b []byte, n *node.Node) []byte {
	switch n.Kind {
	case node.String:
		return appendString(b, n.Text)
	case node.Seq:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case node.Map:
		b = append(b, '{')
		for i, p := range n.Pairs {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(appendString(b, p.Key.Text), ':'), p.Value)
		}
		return append(b, '}')
	}
	return append(b, n.Text...)
}

func appendString(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // text always has a JSON form
	return append(b, text...)
}
