package terraform

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// indexes reads the index blocks of a table.
func (m *mapper) indexes(t *table.Table, body *node.Node, block string, kind table.IndexKind) {
	b := m.blocks(body, block)
	out := source.List[*table.Index]{At: b.at, Incomplete: b.incomplete}
	for _, n := range b.items {
		ix := &table.Index{At: n.At, Kind: kind, Name: m.required(n, "name")}
		m.projection(ix, n)
		if kind == table.GSI {
			ix.Key = m.globalKey(n, t.Attributes)
			ix.MaxOnDemand, ix.Warm = m.maximum(n), m.warm(n)
		} else {
			ix.Key = localKey(t.Key, n)
			m.addRange(&ix.Key, n, t.Attributes)
		}
		out.Items = append(out.Items, ix)
	}
	if kind == table.GSI {
		t.GSIs = out
	} else {
		t.LSIs = out
	}
}

// localKey begins the key of a local index with its table's partition key,
// which Terraform does not repeat.
func localKey(of table.Key, n *node.Node) table.Key {
	key := table.Key{At: n.At}
	for _, e := range of.Elements {
		if source.Is(e.Role, table.Hash) {
			key.Elements = append(key.Elements, e)
		}
	}
	if len(key.Elements) == 0 {
		key.Incomplete = of.Incomplete
	}
	return key
}

// globalKey reads the key of a global index: key_schema blocks, else lists of
// attributes, else hash_key and range_key.
func (m *mapper) globalKey(n *node.Node, defs source.List[table.AttributeDef]) table.Key {
	if b := m.blocks(n, "key_schema"); len(b.items) > 0 || b.incomplete != "" {
		return m.keySchema(b, func(_ *node.Node, name source.Value[string]) source.Value[string] {
			return typeOf(name, defs)
		})
	}
	key := table.Key{At: place(n, "hash_key")}
	for _, list := range []struct {
		name string
		role table.Role
	}{{"hash_keys", table.Hash}, {"range_keys", table.Range}} {
		l := m.texts(n, list.name)
		if key.Incomplete == "" {
			key.Incomplete = l.Incomplete
		}
		for _, name := range l.Items {
			key.Elements = append(key.Elements, element(name, list.role, defs))
		}
	}
	switch hash := m.text(n, "hash_key"); {
	case !hash.Absent():
		key.Elements = append([]table.KeyElement{element(hash, table.Hash, defs)}, key.Elements...)
	case len(key.Elements) == 0 && key.Incomplete == "":
		m.errs = append(m.errs, source.Errorf(n.At, "hash_key is missing"))
		key.Incomplete = "hash_key is missing"
	}
	m.addRange(&key, n, defs)
	return key
}

// keySchema reads key_schema blocks. Plans keep them in the order of the
// configuration.
func (m *mapper) keySchema(b blocks, typ func(*node.Node, source.Value[string]) source.Value[string]) table.Key {
	key := table.Key{At: b.at, Incomplete: b.incomplete}
	for _, n := range b.items {
		e := table.KeyElement{Role: m.word(n, "key_type", table.Hash, table.Range)}
		if e.Role.Absent() {
			e.Role = m.required(n, "key_type")
		}
		e.Name, e.At = m.required(n, "attribute_name"), n.At
		e.Type = typ(n, e.Name)
		key.Elements = append(key.Elements, e)
	}
	return key
}

func (m *mapper) projection(ix *table.Index, n *node.Node) {
	ix.Projection = m.word(n, "projection_type", table.ProjectionAll, table.ProjectionInclude, table.ProjectionKeysOnly)
	ix.NonKey = m.texts(n, "non_key_attributes")
}

// joinIndexes adds indexes that are resources of their own. They bring the
// types of their key attributes with them.
func (m *mapper) joinIndexes() {
	m.each(TypeIndex, func(r *Resource) {
		ix := m.separateIndex(r)
		for _, j := range m.tables {
			hit := m.ofTable(r, firstOf(r.Body, "table_name", "table"), j)
			switch {
			case hit == no:
			case hit == maybe || r.doubt() != "":
				if j.table.GSIs.Incomplete == "" {
					j.table.GSIs.Incomplete = r.Address + " may be an index of this table"
				}
				if j.table.Attributes.Incomplete == "" {
					j.table.Attributes.Incomplete = j.table.GSIs.Incomplete
				}
			default:
				c := *ix
				throughput := m.block(r.Body, "provisioned_throughput")
				c.Capacity = m.capacity(throughput, "read_capacity_units", "write_capacity_units", j.table.Billing)
				j.table.GSIs.Items = append(j.table.GSIs.Items, &c)
				define(j.table, ix.Key)
			}
		}
	})
}

func (m *mapper) separateIndex(r *Resource) *table.Index {
	name := "index_name"
	if member(r.Body, name) == nil && member(r.Body, "name") != nil {
		name = "name"
	}
	ix := &table.Index{
		At: r.At, Kind: table.GSI, Name: m.required(r.Body, name),
		MaxOnDemand: m.maximum(r.Body), Warm: m.warm(r.Body),
	}
	ix.Key = m.keySchema(m.blocks(r.Body, "key_schema"), func(n *node.Node, _ source.Value[string]) source.Value[string] {
		return m.required(n, "attribute_type")
	})
	if member(r.Body, "projection") != nil {
		m.projection(ix, m.block(r.Body, "projection"))
	} else {
		m.projection(ix, r.Body)
	}
	if len(ix.Key.Elements) == 0 && ix.Key.Incomplete == "" {
		m.errs = append(m.errs, source.Errorf(r.At, "key_schema is missing"))
		ix.Key.Incomplete = "key_schema is missing"
	}
	return ix
}

// define adds the attributes of a separate index to the table's definitions,
// so that they do not count as undefined.
func define(t *table.Table, key table.Key) {
	for _, e := range key.Elements {
		name, ok := e.Name.Get()
		known := false
		for _, d := range t.Attributes.Items {
			known = known || ok && source.Is(d.Name, name)
		}
		if !known {
			t.Attributes.Items = append(t.Attributes.Items, table.AttributeDef{Name: e.Name, Type: e.Type, At: e.At})
		}
	}
}

// firstOf returns the first of several spellings of an argument that is set.
func firstOf(n *node.Node, keys ...string) *node.Node {
	for _, k := range keys {
		if v := member(n, k); v != nil {
			return v
		}
	}
	return nil
}
