package terraform

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// dimension is which number of which thing a target scales.
type dimension struct{ index, write bool }

var dimensions = map[string]dimension{
	"dynamodb:table:ReadCapacityUnits":  {false, false},
	"dynamodb:table:WriteCapacityUnits": {false, true},
	"dynamodb:index:ReadCapacityUnits":  {true, false},
	"dynamodb:index:WriteCapacityUnits": {true, true},
}

// target is a scalable target of DynamoDB, or a policy's view of one.
type target struct {
	res *Resource
	id  *node.Node // resource_id
	dim source.Value[string]
}

// joinScaling gives each table and global index the targets that name it.
func (m *mapper) joinScaling() {
	targets, policies := m.scalable(TypeTarget), m.scalable(TypePolicy)
	scalings := map[*Resource]table.ScalingTarget{}
	for _, tg := range targets {
		scalings[tg.res] = table.ScalingTarget{
			Min: m.number(tg.res.Body, "min_capacity"), Max: m.number(tg.res.Body, "max_capacity"),
			Percent: m.percent(tg, policies),
		}
	}
	for _, j := range m.tables {
		eachScaling(j.table, func(s *source.Value[table.ScalingTarget], dim dimension, ix *table.Index) {
			*s = source.Absent[table.ScalingTarget](j.res.At)
			for _, tg := range targets {
				switch hit := m.scales(tg, j, dim, ix); {
				case hit == yes && tg.res.doubt() == "":
					*s = source.Written(scalings[tg.res], tg.res.At)
					return
				case hit != no && s.Absent():
					*s = source.Unresolved[table.ScalingTarget](tg.res.Address+" may scale it", tg.res.At)
				}
			}
		})
	}
}

// eachScaling visits the scaling of the table and of its global indexes.
func eachScaling(t *table.Table, visit func(*source.Value[table.ScalingTarget], dimension, *table.Index)) {
	visit(&t.Scaling.Read, dimension{}, nil)
	visit(&t.Scaling.Write, dimension{write: true}, nil)
	for _, ix := range t.GSIs.Items {
		visit(&ix.Scaling.Read, dimension{index: true}, ix)
		visit(&ix.Scaling.Write, dimension{index: true, write: true}, ix)
	}
}

// scalable reads targets or policies that may be DynamoDB's.
func (m *mapper) scalable(resourceType string) (out []target) {
	m.each(resourceType, func(r *Resource) {
		tg := target{res: r, id: member(r.Body, "resource_id"), dim: m.text(r.Body, "scalable_dimension")}
		if dim, ok := tg.dim.Get(); ok && !strings.HasPrefix(dim, "dynamodb:") {
			return
		}
		if ns, ok := m.text(r.Body, "service_namespace").Get(); ok && ns != "dynamodb" {
			return
		}
		if tg.id != nil {
			out = append(out, tg)
		}
	})
	return out
}

// percent is the utilisation that a target's policy tracks, absent without
// such a policy.
func (m *mapper) percent(tg target, policies []target) source.Value[float64] {
	out := source.Absent[float64](tg.res.At)
	for _, p := range policies {
		tracking := m.block(p.res.Body, "target_tracking_scaling_policy_configuration")
		got := value(&m.reader, tracking, "target_value", asFloat)
		switch hit := m.follows(p, tg); {
		case got.Absent() || hit == no:
		case hit == yes && p.res.doubt() == "":
			return got
		case out.Absent():
			out = source.Unresolved[float64](p.res.Address+" may be its policy", p.res.At)
		}
	}
	return out
}

// follows tells whether a policy is that of a target: it names the same thing,
// or takes its resource_id from the target.
func (m *mapper) follows(p, tg target) answer {
	same := yes
	switch a, b := p.dim, tg.dim; {
	case a.Known() && b.Known():
		if x, _ := a.Get(); !source.Is(b, x) {
			return no
		}
	case sameText(member(p.res.Body, "scalable_dimension"), member(tg.res.Body, "scalable_dimension")):
	default:
		same = maybe
	}
	switch {
	case sameText(p.id, tg.id) && sameKey(p, tg):
		return same
	case !IsUnknown(p.id) && !IsUnknown(tg.id):
		return no
	case IsUnknown(p.id):
		if hit := m.refers(p.res, p.id, tg.res); hit != no {
			return hit // the dimension comes from where the id does
		}
	}
	return m.meet(p, tg, same)
}

// sameKey tells whether the keys that go into the two ids are the same.
func sameKey(a, b target) bool {
	if !IsUnknown(a.id) {
		return true
	}
	_, keyed := references(a.id)
	return !keyed || a.res.Key == b.res.Key
}

// meet compares what a policy and a target each name.
func (m *mapper) meet(p, tg target, same answer) answer {
	out := no
	for _, j := range m.tables {
		a, b := m.scalesAny(p, j), m.scalesAny(tg, j)
		out = max(out, min(a, b, same))
	}
	return out
}

// scalesAny is the best answer over the places of a table.
func (m *mapper) scalesAny(tg target, j joined) (out answer) {
	eachScaling(j.table, func(_ *source.Value[table.ScalingTarget], dim dimension, ix *table.Index) {
		out = max(out, m.scales(tg, j, dim, ix))
	})
	return out
}

// sameText tells whether two values are certainly the same: equal literals, or
// unknown texts made of the same ordered parts.
func sameText(a, b *node.Node) bool {
	switch {
	case a == nil || b == nil:
		return false
	case !IsUnknown(a) && !IsUnknown(b):
		return a.Text == b.Text
	case !IsUnknown(a) || !IsUnknown(b) || !ordered(a) || len(a.Items) != len(b.Items):
		return false
	}
	for i := range a.Items {
		if a.Items[i].Tag != b.Items[i].Tag || a.Items[i].Text != b.Items[i].Text {
			return false
		}
	}
	return true
}

// ordered tells whether an unknown text is given as its parts in order, and
// not only by what it refers to.
func ordered(v *node.Node) bool {
	for _, p := range v.Items {
		if p.Tag != RefTag {
			return true
		}
	}
	return false
}

// scales tells whether a target is that of a dimension of a table or index.
func (m *mapper) scales(tg target, j joined, dim dimension, ix *table.Index) answer {
	out := yes
	if d, ok := tg.dim.Get(); !ok {
		out = maybe
	} else if dimensions[d] != dim {
		return no
	}
	switch {
	case !IsUnknown(tg.id):
		return min(out, m.literalPath(tg.id.Text, j, ix))
	case ordered(tg.id):
		return min(out, m.template(tg, j, ix))
	}
	hit := m.refers(tg.res, tg.id, j.res)
	if hit == no || ix == nil {
		return min(out, hit)
	}
	return min(out, hit, m.indexByKey(tg, j, ix))
}

// literalPath compares table/NAME or table/NAME/index/NAME.
func (m *mapper) literalPath(path string, j joined, ix *table.Index) answer {
	rest, ok := strings.CutPrefix(path, "table/")
	if !ok {
		return no
	}
	name, index, hasIndex := strings.Cut(rest, "/index/")
	if hasIndex != (ix != nil) {
		return no
	}
	hit := m.isNamed(name, j)
	if ix != nil {
		hit = min(hit, nameIs(ix, index))
	}
	return hit
}

func nameIs(ix *table.Index, name string) answer {
	switch got, known := ix.Name.Get(); {
	case !known:
		return maybe
	case got == name:
		return yes
	}
	return no
}

// template compares an unknown path of which the parts are known in order.
func (m *mapper) template(tg target, j joined, ix *table.Index) answer {
	name, index, isPath := cutPath(tg.id.Items)
	switch {
	case !isPath:
		return maybe
	case index == nil && ix != nil:
		return no
	case index != nil && ix == nil:
		return no
	}
	hit := m.nameFits(tg, name, j)
	if ix == nil || hit == no {
		return hit
	}
	if text, literal := plainText(index); literal {
		return min(hit, nameIs(ix, text))
	}
	if refs, keyed := references(&node.Node{Items: index}); keyed && len(refs) == 0 && len(index) == 1 {
		return min(hit, nameIs(ix, tg.res.Key))
	}
	return min(hit, maybe)
}

// nameFits tells whether the middle of a path is the name of the table.
func (m *mapper) nameFits(tg target, parts []*node.Node, j joined) answer {
	if text, literal := plainText(parts); literal {
		return m.isNamed(text, j)
	}
	v := Unknown("", tg.id.At, parts...)
	own := member(j.res.Body, "name")
	if own != nil && IsUnknown(own) && len(own.Items) == len(parts) && sameParts(own.Items, parts) {
		return yes
	}
	if name, known := j.table.Name.Get(); known && !fits(parts, name) {
		return no
	}
	if hit := m.refers(tg.res, v, j.res); hit != yes || len(parts) == 1 {
		return hit
	}
	return maybe // the name with something around it
}

// cutPath splits the parts of a path into the table's name and the index's,
// which is nil where there is none.
func cutPath(parts []*node.Node) (name, index []*node.Node, ok bool) {
	if len(parts) == 0 || parts[0].Tag == RefTag {
		return nil, nil, false
	}
	inIndex := false
	for i, p := range parts {
		text := p.Text
		if i == 0 {
			if text, ok = strings.CutPrefix(text, "table/"); !ok {
				return nil, nil, false
			}
		}
		if p.Tag == RefTag || inIndex {
			if inIndex {
				index = append(index, p)
			} else {
				name = append(name, p)
			}
			continue
		}
		before, after, found := strings.Cut(text, "/index/")
		if before != "" {
			name = append(name, &node.Node{Kind: node.String, Text: before})
		}
		if found {
			inIndex, index = true, []*node.Node{}
			if after != "" {
				index = append(index, &node.Node{Kind: node.String, Text: after})
			}
		}
	}
	return name, index, true
}

// plainText joins parts that are all literal.
func plainText(parts []*node.Node) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		if p.Tag == RefTag {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

func sameParts(a, b []*node.Node) bool {
	for i := range a {
		if a[i].Tag != b[i].Tag || a[i].Text != b[i].Text {
			return false
		}
	}
	return true
}

// indexByKey tells which index an unknown path of a target means, of which
// only the references are known: the only one there is, or the one named as
// the target's own key, where the key goes into the path.
func (m *mapper) indexByKey(tg target, j joined, ix *table.Index) answer {
	_, keyed := references(tg.id)
	if keyed && tg.res.Key != "" && j.table.IndexNamed(tg.res.Key) != nil {
		return nameIs(ix, tg.res.Key)
	}
	if len(j.table.GSIs.Items) == 1 && j.table.GSIs.Complete() && !keyed {
		return yes
	}
	return maybe
}
