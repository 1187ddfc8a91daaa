package cfn

import (
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// answer is what is known of whether a text names a table.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

// named is a table with what its name may be compared with.
type named struct {
	table *table.Table
	res   *resource
	e     *eval  // evaluation inside the table's condition
	name  string // symbolic TableName; "" when CloudFormation makes the name up
}

func (t *template) nameTables(base *eval, tables []*table.Table, res map[*table.Table]*resource) []named {
	evals := map[string]*eval{}
	var out []named
	for _, tb := range tables {
		r := res[tb]
		e := evals[r.condition]
		if e == nil {
			e = base.under(r.condition)
			evals[r.condition] = e
		}
		n := named{table: tb, res: r, e: e}
		if props := r.body.Get("Properties"); props != nil {
			n.name = e.symbol(e.resolve(props), "TableName")
		}
		out = append(out, n)
	}
	return out
}

// isNamed tells whether a symbolic text names the table: by reference, by the
// same expression as its TableName, or by the same literal.
func (n named) isNamed(sym string) answer {
	switch {
	case sym == refMark(n.res.id), sym != "" && sym == n.name:
		return yes
	case sym == "":
		return maybe
	case n.refersElsewhere(sym):
		return no
	}
	literal, known := n.table.Name.Get()
	switch {
	case known && mayEqual(sym, literal):
		if hasMark(sym) {
			return maybe
		}
		return yes
	case known:
		return no
	case n.name == "" && !endsGenerated(sym):
		return no // a generated name is not written beforehand
	case hasMark(sym):
		return maybe
	case mayEqual(n.name, sym):
		return maybe
	}
	return no
}

// endsGenerated tells whether a symbolic text can turn out as a name that
// CloudFormation makes up: STACK-LOGICALID-RANDOM with RANDOM in capitals and
// digits.
func endsGenerated(sym string) bool {
	if !hasMark(sym) {
		return false
	}
	tail := sym[strings.LastIndexByte(sym, 0)+1:]
	tail = tail[strings.LastIndexByte(tail, '-')+1:]
	return tail == strings.ToUpper(tail)
}

// refersElsewhere tells whether a text is a reference to another resource of
// the template, whose name is another one.
func (n named) refersElsewhere(sym string) bool {
	id := refID(sym)
	if arn, ok := strings.CutPrefix(sym, "\x00GetAtt "); ok && strings.HasSuffix(sym, ".Arn\x00") {
		r := n.e.t.byID[strings.TrimSuffix(arn, ".Arn\x00")]
		return r != nil && isTable(r.typ)
	}
	other := n.e.t.byID[id]
	if other == nil || !isTable(other.typ) {
		return other != nil
	}
	literal, known := n.table.Name.Get()
	a := n.e.ref(other.body, id)
	return !known || a.node == nil || a.node.Text != literal
}

// refID is the name that a text is a reference to, or "".
func refID(sym string) string {
	id, ok := strings.CutPrefix(strings.Trim(sym, "\x00"), "Ref ")
	if !ok || sym != refMark(id) {
		return ""
	}
	return id
}

// existence is whether a resource exists in a world where the table does.
func (e *eval) existence(r *resource) truth {
	if r.condition == "" {
		return truth{true, true}
	}
	return e.condition(r.condition)
}

// addReplicas adds the Regions that Custom::DynamoDBReplica gives the tables
// of the CDK's older construct.
func (t *template) addReplicas(base *eval, tables []*table.Table, res map[*table.Table]*resource) {
	all := t.nameTables(base, tables, res)
	for _, r := range t.resources {
		if r.typ != typeReplica {
			continue
		}
		for _, n := range all {
			if r.body.Get("Properties") != nil && n.table.ResourceType == typeTable {
				n.addReplica(r)
			}
		}
	}
}

func (n named) addReplica(r *resource) {
	e, list := n.e, &n.table.Replicas
	props := e.resolve(r.body.Get("Properties"))
	match := n.isNamed(e.symbol(props, "TableName"))
	holds := e.existence(r)
	switch {
	case match == no || holds.known && !holds.value:
	case match == maybe:
		list.Incomplete = "resource " + r.id + " adds a replica to a table that is not known"
	case !holds.known:
		list.Incomplete = "depends on condition " + r.condition
	default:
		list.Items = append(list.Items, table.Replica{At: r.at, Region: e.text(e.field(props, "Region"))})
	}
}

func unresolvedTarget(why string, at source.Span) source.Value[table.ScalingTarget] {
	return source.Unresolved[table.ScalingTarget](why, at)
}
