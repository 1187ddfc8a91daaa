package load

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// keyTypes are the types of key attributes, and attributeTypes all types.
func keyTypes() []string { return []string{"S", "N", "B"} }

func attributeTypes() []string {
	return append(keyTypes(), "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
}

// key reads the parts of a key, each one attribute or a list.
func (d *designFile) key(s *section, parts ...string) (k table.Key) {
	k.At = s.n.At
	for _, part := range parts {
		role := table.Hash
		if part == "sort_key" {
			role = table.Range
		}
		n := s.get(part)
		if n == nil {
			continue
		}
		if len(k.Elements) == 0 {
			k.At = n.At
		}
		nodes := []*node.Node{n}
		if n.Kind == node.Seq {
			if nodes = n.Items; len(nodes) == 0 {
				d.errorf(n.At, `%q in %s must name at least one attribute such as "id:S"`, part, s.title)
				k.Incomplete = part + " is empty"
			}
		}
		for _, el := range nodes {
			a, ok := s.keyAttribute(part, el)
			if !ok {
				k.Incomplete = part + " is not readable"
				continue
			}
			k.Elements = append(k.Elements, table.KeyElement{Attribute: a, Role: source.Written(role, n.At)})
		}
	}
	return k
}

// keyAttribute reads "attribute:type". With a wrong type the name still holds.
func (s *section) keyAttribute(what string, n *node.Node) (table.Attribute, bool) {
	if n.Kind != node.String || n.Tag != "" {
		s.d.errorf(n.At, `%q in %s must be "attribute:type" such as "id:S", not %s`, what, s.title, describe(n))
		return table.Attribute{}, false
	}
	name, typ := n.Text, ""
	if i := strings.LastIndexByte(n.Text, ':'); i >= 0 {
		name, typ = n.Text[:i], n.Text[i+1:]
	}
	name, typ = strings.TrimSpace(name), strings.TrimSpace(typ)
	if name == "" {
		s.d.errorf(n.At, `%q in %s must be "attribute:type" such as "id:S", not %q`, what, s.title, n.Text)
		return table.Attribute{}, false
	}
	a := table.Attribute{Name: source.Written(name, n.At), Type: source.Written(typ, n.At), At: n.At}
	for _, t := range keyTypes() {
		if t == typ {
			return a, true
		}
	}
	if typ == "" {
		s.d.errorf(n.At, `%q in %s needs a type, S, N or B, such as "%s:S", not %q`, what, s.title, name, n.Text)
	} else {
		s.d.errorf(n.At, `%q in %s: a key attribute is of type S, N or B, not %q`, what, s.title, typ)
	}
	a.Type = source.Unresolved[string]("the type is not readable", n.At)
	return a, true
}

func (d *designFile) gsi(s *section, t *table.Table) *table.Index {
	ix := &table.Index{At: s.n.At, Kind: table.GSI, Name: s.required("name"), Key: d.key(s, "partition_key", "sort_key")}
	d.projection(s, ix)
	ix.Capacity, ix.MaxOnDemand, ix.Warm = s.throughputs()
	ix.Scaling = s.scaling(t.Billing)
	ix.Sparse, ix.ReadReplica = s.truth("sparse"), s.truth("read_replica")
	ix.ItemCount, ix.SizeBytes = s.whole("item_count", 0), s.size("size")
	s.done()
	if !s.has("partition_key") {
		d.errorf(s.n.At, `%s needs a "partition_key" such as "companyId:S"`, s.title)
		ix.Key.Incomplete = `"partition_key" is missing`
	}
	return ix
}

// lsi reads a local index, whose partition key is its table's.
func (d *designFile) lsi(s *section, t *table.Table) *table.Index {
	ix := &table.Index{At: s.n.At, Kind: table.LSI, Name: s.required("name")}
	if s.has("partition_key") {
		n := s.get("partition_key")
		d.errorf(n.At, `a local index has its table's partition key: leave "partition_key" out of %s`, s.title)
	}
	own := d.key(s, "sort_key")
	ix.Key = table.Key{At: own.At, Incomplete: own.Incomplete}
	for _, e := range t.Key.Elements {
		if source.Is(e.Role, table.Hash) {
			ix.Key.Elements = append(ix.Key.Elements, e)
		}
	}
	ix.Key.Elements = append(ix.Key.Elements, own.Elements...)
	if t.Key.Incomplete != "" && ix.Key.Incomplete == "" {
		ix.Key.Incomplete = t.Key.Incomplete
	}
	d.projection(s, ix)
	s.done()
	if !s.has("sort_key") {
		d.errorf(s.n.At, `%s needs a "sort_key" such as "createdAt:N"`, s.title)
		ix.Key.Incomplete = `"sort_key" is missing`
	}
	return ix
}

// projection reads "all", "keys-only" or the list of an INCLUDE. DynamoDB has
// no default for it.
func (d *designFile) projection(s *section, ix *table.Index) {
	n := s.get("projection")
	switch {
	case n == nil:
		ix.Projection = source.Unresolved[string]("the projection is not stated", s.n.At)
		ix.NonKey.Incomplete = "the projection is not stated"
	case n.Kind == node.Seq:
		ix.Projection = source.Written(table.ProjectionInclude, n.At)
		ix.NonKey = s.items("projection", n)
	case n.Kind == node.String && n.Text == "all":
		ix.Projection = source.Written(table.ProjectionAll, n.At)
	case n.Kind == node.String && n.Text == "keys-only":
		ix.Projection = source.Written(table.ProjectionKeysOnly, n.At)
	default:
		d.errorf(n.At, `"projection" in %s must be "all", "keys-only" or a list of attributes, not %s`, s.title, describe(n))
		ix.Projection = source.Unresolved[string](`"projection" is not readable`, n.At)
		ix.NonKey.Incomplete = `"projection" is not readable`
	}
}

// addIndex keeps an index unless its name is taken; the first one stands.
func (d *designFile) addIndex(t *table.Table, list *source.List[*table.Index], ix *table.Index) {
	if name, ok := ix.Name.Get(); ok {
		if first := t.IndexNamed(name); first != nil {
			d.errorf(ix.Name.At, "table %q already has an index %q at line %d", t.DisplayName(), name, first.Name.At.Start.Line)
			return
		}
	}
	list.Items = append(list.Items, ix)
}

// attributes makes the attribute definitions that the keys imply, and reports
// an attribute that two keys give different types.
func (d *designFile) attributes(t *table.Table) {
	t.Attributes = source.List[table.AttributeDef]{At: t.Key.At, Incomplete: t.Key.Incomplete}
	if t.Attributes.Incomplete == "" {
		t.Attributes.Incomplete = t.GSIs.Incomplete
	}
	keys := []table.Key{t.Key}
	for _, ix := range t.Indexes() {
		keys = append(keys, ix.Key)
	}
	for _, k := range keys {
		for _, e := range k.Elements {
			d.define(t, e.Attribute)
		}
	}
}

func (d *designFile) define(t *table.Table, a table.Attribute) {
	name, _ := a.Name.Get()
	for _, def := range t.Attributes.Items {
		if !source.Is(def.Name, name) {
			continue
		}
		first, ok := def.Type.Get()
		if typ, known := a.Type.Get(); known && ok && typ != first {
			d.errorf(a.At, "attribute %q is of type %s here and of type %s at line %d", name, typ, first, def.At.Start.Line)
		}
		return
	}
	t.Attributes.Items = append(t.Attributes.Items, table.AttributeDef(a))
}
