package cfn

import (
	"strings"

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

// target is a scalable target as evaluated inside one table's condition.
type target struct {
	res     *resource
	id      alt // ResourceId
	dim     source.Value[string]
	scaling table.ScalingTarget
	exists  truth
}

// policy is a target-tracking policy and what it points to.
type policy struct {
	target, id string // symbolic ScalingTargetId and ResourceId
	dim        source.Value[string]
	percent    source.Value[float64]
	unsure     string // why it may not exist
}

// addScaling joins targets and policies to tables and indexes.
func (t *template) addScaling(base *eval, tables []*table.Table, res map[*table.Table]*resource) {
	cache := map[*eval][]target{}
	for _, n := range t.nameTables(base, tables, res) {
		targets, ok := cache[n.e]
		if !ok {
			targets = n.e.targets()
			cache[n.e] = targets
		}
		n.attach(targets)
		if t.open != "" {
			n.eachScaling(func(s *source.Value[table.ScalingTarget], _ dimension, _ *table.Index) {
				if s.Absent() {
					*s = unresolvedTarget(t.open, n.res.at)
				}
			})
		}
	}
}

// targets evaluates the template's scalable targets of DynamoDB.
func (e *eval) targets() (out []target) {
	policies := e.policies()
	for _, r := range e.t.resources {
		if r.typ != typeTarget || r.body.Get("Properties") == nil {
			continue
		}
		props := e.resolve(r.body.Get("Properties"))
		exists := e.existence(r)
		if !e.ofDynamoDB(props) || exists.known && !exists.value {
			continue
		}
		tg := target{
			res: r, id: e.singleField(props, "ResourceId"), exists: exists,
			dim: e.text(e.field(props, "ScalableDimension")),
			scaling: table.ScalingTarget{
				Min: e.units(e.field(props, "MinCapacity")), Max: e.units(e.field(props, "MaxCapacity")),
			},
		}
		tg.scaling.Percent = percentOf(tg, policies)
		out = append(out, tg)
	}
	return out
}

// ofDynamoDB tells whether a target's or policy's namespace may be DynamoDB's.
func (e *eval) ofDynamoDB(props value) bool {
	ns := e.text(e.field(props, "ServiceNamespace"))
	dim := e.text(e.field(props, "ScalableDimension"))
	if d, ok := dim.Get(); ok {
		return strings.HasPrefix(d, "dynamodb:")
	}
	v, ok := ns.Get()
	return !ok || v == "dynamodb"
}

// singleField evaluates a property to one way.
func (e *eval) singleField(props value, key string) alt {
	if a := props.alts[0]; len(props.alts) == 1 && a.node != nil {
		if n := a.node.Get(key); n != nil {
			return e.single(n)
		}
	}
	v := e.field(props, key)
	if a := v.alts[0]; len(v.alts) == 1 {
		return a
	}
	return alt{why: v.why, at: v.at()}
}

func (e *eval) policies() (out []policy) {
	for _, r := range e.t.resources {
		exists := e.existence(r)
		if r.typ != typePolicy || r.body.Get("Properties") == nil || exists.known && !exists.value {
			continue
		}
		props := e.resolve(r.body.Get("Properties"))
		p := policy{
			target: symText(e.singleField(props, "ScalingTargetId")),
			id:     symText(e.singleField(props, "ResourceId")),
			dim:    e.text(e.field(props, "ScalableDimension")),
			percent: scalar(e, e.field(e.field(props, "TargetTrackingScalingPolicyConfiguration"),
				"TargetValue"), asFloat, nil),
		}
		if !exists.known {
			p.unsure = "depends on condition " + r.condition
		}
		out = append(out, p)
	}
	return out
}

// percentOf is the target utilisation of a target, absent without a policy.
func percentOf(tg target, policies []policy) source.Value[float64] {
	out := source.Absent[float64](tg.res.at)
	for _, p := range policies {
		var hit answer
		switch {
		case p.target == refMark(tg.res.id):
			hit = yes
		case p.target != "" && !strings.HasPrefix(p.target, "\x00Ref "):
			hit = maybe // an id of another stack or an expression
		case p.target == "" && p.id != "" && p.id == symText(tg.id):
			hit = sameDimension(p.dim, tg.dim)
		}
		switch {
		case hit == yes && p.unsure == "" && !p.percent.Absent():
			return p.percent
		case hit == yes && p.unsure != "":
			out = source.Unresolved[float64](p.unsure, tg.res.at)
		case hit == maybe && out.Absent():
			out = source.Unresolved[float64]("a scaling policy's target is not known", tg.res.at)
		}
	}
	return out
}

func sameDimension(a, b source.Value[string]) answer {
	x, known := a.Get()
	y, also := b.Get()
	switch {
	case !known || !also:
		return maybe
	case x == y:
		return yes
	}
	return no
}

// eachScaling visits the scaling of the table and of its global indexes.
func (n named) eachScaling(visit func(*source.Value[table.ScalingTarget], dimension, *table.Index)) {
	visit(&n.table.Scaling.Read, dimension{}, nil)
	visit(&n.table.Scaling.Write, dimension{write: true}, nil)
	for _, ix := range n.table.GSIs.Items {
		visit(&ix.Scaling.Read, dimension{index: true}, ix)
		visit(&ix.Scaling.Write, dimension{index: true, write: true}, ix)
	}
}

// attach fills the table's scaling. A target that may be the table's makes it
// unresolved; a global table keeps what it declares itself.
func (n named) attach(targets []target) {
	n.eachScaling(func(s *source.Value[table.ScalingTarget], dim dimension, ix *table.Index) {
		if !s.Absent() {
			return
		}
		*s = source.Absent[table.ScalingTarget](n.res.at)
		for _, tg := range targets {
			switch hit := n.scales(tg, dim, ix); {
			case hit == yes && tg.exists.known:
				*s = source.Written(tg.scaling, tg.res.at)
				return
			case hit == yes:
				*s = unresolvedTarget("depends on condition "+tg.res.condition, tg.res.at)
			case hit == maybe && s.Absent() && n.table.ResourceType != typeGlobalTable:
				*s = unresolvedTarget("scalable target "+tg.res.id+" may be this table's: "+tg.reason(), tg.res.at)
			}
		}
	})
}

func (tg target) reason() string {
	switch {
	case tg.dim.Unresolved():
		return tg.dim.Why
	case tg.id.why != "":
		return tg.id.why
	}
	return "its ResourceId is not known"
}

// scales tells whether a target is that of the dimension of the table or index.
func (n named) scales(tg target, dim dimension, ix *table.Index) answer {
	out := yes
	if d, ok := tg.dim.Get(); ok {
		if dimensions[d] != dim {
			return no
		}
	} else {
		out = maybe
	}
	sym := symText(tg.id)
	rest, isPath := strings.CutPrefix(sym, "table/")
	if !isPath {
		literal, _, _ := strings.Cut(sym, "\x00")
		if hasMark(sym) && strings.HasPrefix("table/", literal) { //nolint:gocritic // the fixed word may begin with the literal part
			return maybe // the unknown part may hold the path
		}
		return no
	}
	name, index, hasIndex := cutSym(rest, "/index/")
	if n.isARN(tg, name) {
		return no
	}
	switch {
	case hasIndex && !dim.index:
		return no
	case dim.index && !hasIndex:
		// Only an unknown part can still hold the index.
		if !hasMark(name) || n.e.t.byID[refID(name)] != nil {
			return no
		}
		return min(maybe, n.isNamed(name))
	}
	out = min(out, n.isNamed(name))
	if hasIndex && out != no {
		out = min(out, indexIs(ix, index))
	}
	return out
}

// isARN reports a target that gives a table's ARN where its name belongs: it
// never attaches to the table.
func (n named) isARN(tg target, name string) bool {
	if name != arnMark(n.res.id) && !strings.HasPrefix(name, "arn:") {
		return false
	}
	n.e.t.faultf(tg.id.at, "ResourceId of %s holds a table's ARN, expected table/ and the table's name: the target never attaches", quote(tg.res.id))
	return true
}

// indexIs tells whether a symbolic text is the name of the index.
func indexIs(ix *table.Index, sym string) answer {
	name, known := ix.Name.Get()
	switch {
	case !known:
		return maybe
	case !mayEqual(sym, name):
		return no
	case hasMark(sym):
		return maybe
	}
	return yes
}
