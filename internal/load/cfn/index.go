package cfn

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// definitions are the attribute definitions, with the expression of each name.
type definitions struct {
	list  source.List[table.AttributeDef]
	names []string // symbolic name of each item
}

func (e *eval) definitions(props value) definitions {
	l := e.list(e.field(props, "AttributeDefinitions"), "AttributeName")
	out := definitions{list: source.List[table.AttributeDef]{At: l.at, Incomplete: l.incomplete}}
	for _, it := range l.items {
		e.checkNames(it, "AttributeDefinitions", definitionNames)
		name := e.field(it, "AttributeName")
		out.list.Items = append(out.list.Items, table.AttributeDef{
			At: it.at(), Name: e.text(name), Type: e.text(e.field(it, "AttributeType")),
		})
		out.names = append(out.names, e.symbol(it, "AttributeName"))
	}
	return out
}

// symbol is the symbolic text of a key's value, or "" when it has none.
func (e *eval) symbol(v value, key string) string {
	if len(v.alts) != 1 || v.alts[0].node == nil {
		return ""
	}
	n := v.alts[0].node.Get(key)
	if n == nil || !e.enter() {
		return ""
	}
	defer e.leave()
	return symText(e.single(n))
}

// typeOf is the type that the definitions give an attribute.
func (d definitions) typeOf(name source.Value[string], symbol string) source.Value[string] {
	why := d.list.Incomplete
	for i, def := range d.list.Items {
		switch {
		case symbol != "" && d.names[i] == symbol:
			return def.Type
		case def.Name.Unresolved() && why == "":
			why = def.Name.Why
		}
		if n, ok := name.Get(); ok && source.Is(def.Name, n) {
			return def.Type
		}
	}
	if name.Unresolved() && why == "" {
		why = name.Why
	}
	if why != "" {
		return source.Unresolved[string](why, name.At)
	}
	return source.Absent[string](d.list.At)
}

// key reads a KeySchema.
func (e *eval) key(props value, defs definitions) table.Key {
	l := e.list(e.field(props, "KeySchema"), "AttributeName")
	out := table.Key{At: l.at, Incomplete: l.incomplete}
	for _, it := range l.items {
		e.checkNames(it, "KeySchema", keyNames)
		el := table.KeyElement{Role: e.word(e.field(it, "KeyType"), table.Hash, table.Range)}
		el.At = it.at()
		el.Name = e.text(e.field(it, "AttributeName"))
		el.Type = defs.typeOf(el.Name, e.symbol(it, "AttributeName"))
		out.Elements = append(out.Elements, el)
	}
	return out
}

// read is an index with the value its further properties are read from.
type read struct {
	index *table.Index
	props value
}

// indexes reads one of the two lists of indexes into the table and returns
// them for the properties that the resource types write differently.
func (e *eval) indexes(props value, property string, kind table.IndexKind, known []string, t *table.Table) (out []read) {
	defs := e.definitions(props)
	l := e.list(e.field(props, property), "IndexName")
	into := source.List[*table.Index]{At: l.at, Incomplete: l.incomplete}
	for _, it := range l.items {
		e.checkNames(it, property, known)
		projection := e.part(it, "Projection", projectionNames)
		ix := &table.Index{
			At: it.at(), Kind: kind, Name: e.text(e.field(it, "IndexName")), Key: e.key(it, defs),
			Projection: e.word(e.field(projection, "ProjectionType"),
				table.ProjectionAll, table.ProjectionInclude, table.ProjectionKeysOnly),
			NonKey: e.texts(e.field(projection, "NonKeyAttributes")),
		}
		into.Items = append(into.Items, ix)
		out = append(out, read{ix, it})
	}
	if kind == table.GSI {
		t.GSIs = into
	} else {
		t.LSIs = into
	}
	return out
}
