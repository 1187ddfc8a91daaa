package cfn

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// simpleTable reads AWS::Serverless::SimpleTable: a table with a partition
// key only, on demand unless throughput is given.
func (e *eval) simpleTable(r *resource) *table.Table {
	t, props := e.newTable(r, simpleTableNames)
	pk := e.part(props, "PrimaryKey", []string{"Name", "Type"})
	id, typ := source.Defaulted("id", r.at), source.Defaulted("S", r.at)
	attr := table.Attribute{
		At:   pk.at(),
		Name: scalar(e, e.field(pk, "Name"), asText, &id),
		Type: scalar(e, e.field(pk, "Type"), samType, &typ),
	}
	t.Attributes = source.List[table.AttributeDef]{
		At: pk.at(), Items: []table.AttributeDef{{Name: attr.Name, Type: attr.Type, At: attr.At}},
	}
	t.Key = table.Key{At: pk.at(), Elements: []table.KeyElement{
		{Attribute: attr, Role: source.Defaulted(table.Hash, r.at)},
	}}
	t.Billing = e.simpleBilling(props, r.at)
	t.Capacity = e.capacity(props)
	t.Class = source.Defaulted(table.Standard, r.at)
	t.PITR = e.pitr(props, r.at)
	t.DeletionProtection = source.Defaulted(false, r.at)
	t.TTL.Enabled = source.Defaulted(false, r.at)
	t.KMSKey = e.kmsKey(e.part(e.withGlobals(props, "SSESpecification"), "SSESpecification", sseNames))
	t.Tags = e.tags(e.field(props, "Tags"))
	return t
}

// samType translates SAM's names of the key types.
func samType(n *node.Node) (string, string) {
	short := map[string]string{"String": "S", "Number": "N", "Binary": "B"}
	if s, ok := short[n.Text]; ok && isScalar(n) {
		return s, ""
	}
	return "", "one of String, Number, Binary"
}

// simpleBilling follows from whether throughput is given.
func (e *eval) simpleBilling(props value, at source.Span) source.Value[string] {
	v := e.field(props, "ProvisionedThroughput")
	given := 0
	for _, a := range v.alts {
		switch {
		case a.why != "":
			return source.Unresolved[string](a.why, a.at)
		case a.node != nil:
			given++
		}
	}
	switch given {
	case 0:
		return source.Defaulted(table.PayPerRequest, at)
	case len(v.alts):
		return source.Defaulted(table.Provisioned, v.at())
	}
	return source.Unresolved[string](v.why, v.at())
}

// withGlobals is the template's Globals where the table does not set the
// property itself.
func (e *eval) withGlobals(props value, property string) value {
	globals := e.t.doc.Get("Globals").Get("SimpleTable")
	if globals == nil || !e.field(props, property).alts[0].absent() {
		return props
	}
	return e.resolve(globals)
}
