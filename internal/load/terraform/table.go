package terraform

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// table reads aws_dynamodb_table. Defaults are the provider's.
// Source: documentation of the AWS provider, resource aws_dynamodb_table.
func (m *mapper) table(r *Resource) *table.Table {
	t := &table.Table{
		At: r.At, LogicalName: r.Address, ResourceType: r.Type,
		Name: m.required(r.Body, "name"), Region: m.region(r),
	}
	if r.Exists.Unresolved() {
		t.Condition = r.Exists
	}
	if source.Is(r.PreventDestroy, true) {
		t.DeletionPolicy = source.Written("Retain", r.PreventDestroy.At)
	}
	m.schema(t, r.Body)
	m.billing(t, r.Body)
	m.settings(t, r.Body)
	m.replicas(t, r.Body)
	return t
}

// region is the resource's own, else its provider's.
func (m *mapper) region(r *Resource) source.Value[string] {
	own := m.text(r.Body, "region")
	arn := member(r.Body, "arn")
	switch {
	case own.Known(), own.Unresolved() && !r.Region.Known():
		return own
	case arn != nil && !IsUnknown(arn) && strings.Count(arn.Text, ":") >= 5:
		return source.Written(strings.Split(arn.Text, ":")[3], arn.At)
	case r.Region.Absent():
		return source.Unresolved[string]("the provider's region", r.At)
	}
	return r.Region
}

// schema reads keys and indexes. A table that is restored has those of
// another one.
func (m *mapper) schema(t *table.Table, body *node.Node) {
	defs := m.blocks(body, "attribute")
	t.Attributes = source.List[table.AttributeDef]{At: defs.at, Incomplete: defs.incomplete}
	for _, n := range defs.items {
		t.Attributes.Items = append(t.Attributes.Items, table.AttributeDef{
			At: n.At, Name: m.required(n, "name"), Type: m.required(n, "type"),
		})
	}
	restored := ""
	for _, from := range []string{"restore_source_name", "restore_source_table_arn"} {
		if member(body, from) != nil {
			restored = "the table is restored by " + from
		}
	}
	t.Key = m.tableKey(body, t.Attributes, restored)
	m.indexes(t, body, "global_secondary_index", table.GSI)
	m.indexes(t, body, "local_secondary_index", table.LSI)
	if restored != "" {
		for _, why := range []*string{&t.Attributes.Incomplete, &t.GSIs.Incomplete, &t.LSIs.Incomplete} {
			if *why == "" {
				*why = restored
			}
		}
		for i := range t.Key.Elements {
			if e := &t.Key.Elements[i]; e.Type.Absent() {
				e.Type = source.Unresolved[string](restored, e.At)
			}
		}
	}
	t.Vectors.At = body.At
}

// tableKey reads hash_key and range_key.
func (m *mapper) tableKey(body *node.Node, defs source.List[table.AttributeDef], restored string) table.Key {
	key := table.Key{At: place(body, "hash_key")}
	hash := m.text(body, "hash_key")
	if hash.Absent() {
		if restored != "" {
			key.Incomplete = restored
			return key
		}
		m.errs = append(m.errs, source.Errorf(body.At, "hash_key is missing"))
		key.Incomplete = "hash_key is missing"
	} else {
		key.Elements = append(key.Elements, element(hash, table.Hash, defs))
	}
	m.addRange(&key, body, defs)
	return key
}

// addRange adds range_key. Whether a key has a sort key at all is not known
// where the name is not.
func (m *mapper) addRange(key *table.Key, body *node.Node, defs source.List[table.AttributeDef]) {
	switch sort := m.text(body, "range_key"); {
	case sort.Known():
		key.Elements = append(key.Elements, element(sort, table.Range, defs))
	case sort.Unresolved():
		key.Elements = append(key.Elements, element(sort, table.Range, defs))
		key.Incomplete = sort.Why
	}
}

func element(name source.Value[string], role table.Role, defs source.List[table.AttributeDef]) table.KeyElement {
	e := table.KeyElement{Role: source.Written(role, name.At)}
	e.Name, e.At, e.Type = name, name.At, typeOf(name, defs)
	return e
}

// typeOf is the type that the attribute blocks give a key attribute.
func typeOf(name source.Value[string], defs source.List[table.AttributeDef]) source.Value[string] {
	want, known := name.Get()
	why := defs.Incomplete
	for _, d := range defs.Items {
		switch got, ok := d.Name.Get(); {
		case known && ok && got == want:
			return d.Type
		case !ok:
			why = d.Name.Why
		}
	}
	if !known {
		why = name.Why
	}
	if why != "" {
		return source.Unresolved[string](why, name.At)
	}
	return source.Absent[string](defs.At)
}

// billing reads the capacity mode and its numbers. A state shows zeros for an
// on-demand table, which has no provisioned capacity.
func (m *mapper) billing(t *table.Table, body *node.Node) {
	t.Billing = m.word(body, "billing_mode", table.PayPerRequest, table.Provisioned)
	if t.Billing.Absent() {
		t.Billing = source.Defaulted(table.Provisioned, t.Billing.At)
	}
	t.Capacity = m.capacity(body, "read_capacity", "write_capacity", t.Billing)
	for i, n := range m.blocks(body, "global_secondary_index").items {
		if i < len(t.GSIs.Items) {
			t.GSIs.Items[i].Capacity = m.capacity(n, "read_capacity", "write_capacity", t.Billing)
		}
	}
	t.MaxOnDemand = m.maximum(body)
	t.Warm = m.warm(body)
}

func (m *mapper) capacity(n *node.Node, read, write string, billing source.Value[string]) table.Throughput {
	out := table.Throughput{Read: m.number(n, read), Write: m.number(n, write)}
	if !source.Is(billing, table.Provisioned) && source.Is(out.Read, 0) && source.Is(out.Write, 0) {
		return table.Throughput{Read: source.Absent[int64](out.Read.At), Write: source.Absent[int64](out.Write.At)}
	}
	return out
}

// maximum reads on_demand_throughput, in which -1 and 0 mean that there is no
// maximum.
func (m *mapper) maximum(n *node.Node) table.Throughput {
	b := m.block(n, "on_demand_throughput")
	limit := func(key string) source.Value[int64] {
		v := m.number(b, key)
		if source.Is(v, -1) || source.Is(v, 0) {
			return source.Absent[int64](v.At)
		}
		return v
	}
	return table.Throughput{Read: limit("max_read_request_units"), Write: limit("max_write_request_units")}
}

func (m *mapper) warm(n *node.Node) table.Throughput {
	b := m.block(n, "warm_throughput")
	return table.Throughput{Read: m.number(b, "read_units_per_second"), Write: m.number(b, "write_units_per_second")}
}

// settings reads what guards and labels the data.
func (m *mapper) settings(t *table.Table, body *node.Node) {
	t.Class = m.word(body, "table_class", table.Standard, table.InfrequentAccess)
	if t.Class.Absent() {
		t.Class = source.Defaulted(table.Standard, t.Class.At)
	}
	ttl := m.block(body, "ttl")
	t.TTL = table.TTL{Attribute: m.text(ttl, "attribute_name"), Enabled: m.flag(ttl, "enabled")}
	switch on := m.flag(body, "stream_enabled"); {
	case source.Is(on, false):
		t.StreamView = source.Absent[string](on.At)
	case on.Unresolved():
		t.StreamView = source.Unresolved[string](on.Why, on.At)
	default:
		t.StreamView = m.required(body, "stream_view_type")
	}
	t.PITR = m.flag(m.block(body, "point_in_time_recovery"), "enabled")
	t.DeletionProtection = m.flag(body, "deletion_protection_enabled")
	t.KMSKey = m.kmsKey(m.block(body, "server_side_encryption"))
	t.Tags = m.tags(body, "tags")
	switch all := member(body, "tags_all"); {
	case all == nil:
	case !IsUnknown(all):
		t.Tags = m.tags(body, "tags_all")
	case t.Tags.Complete():
		t.Tags.Incomplete = all.Text
	}
}

// kmsKey is the key of a table that is encrypted with KMS; absent with the
// key that DynamoDB owns.
func (m *mapper) kmsKey(sse *node.Node) source.Value[string] {
	enabled, key := m.flag(sse, "enabled"), m.text(sse, "kms_key_arn")
	switch {
	case source.Is(enabled, false):
		return source.Absent[string](enabled.At)
	case enabled.Unresolved():
		return source.Unresolved[string](enabled.Why, enabled.At)
	case key.Absent():
		return source.Defaulted("alias/aws/dynamodb", key.At)
	}
	return key
}

// replicas reads replica blocks: the other Regions.
func (m *mapper) replicas(t *table.Table, body *node.Node) {
	b := m.blocks(body, "replica")
	t.Replicas = source.List[table.Replica]{At: b.at, Incomplete: b.incomplete}
	for _, n := range b.items {
		t.Replicas.Items = append(t.Replicas.Items, table.Replica{
			At: n.At, Region: m.required(n, "region_name"), PITR: m.flag(n, "point_in_time_recovery"),
			DeletionProtection: value(&m.reader, n, "deletion_protection_enabled", asBool),
		})
		mode := m.word(n, "consistency_mode", "EVENTUAL", "STRONG")
		if mode.Absent() {
			mode = source.Defaulted("EVENTUAL", n.At)
		}
		if !source.Is(t.Consistency, "STRONG") && !t.Consistency.Unresolved() {
			t.Consistency = mode
		}
	}
	w := m.blocks(body, "global_table_witness")
	t.Witnesses = source.List[source.Value[string]]{At: w.at, Incomplete: w.incomplete}
	for _, n := range w.items {
		t.Witnesses.Items = append(t.Witnesses.Items, m.required(n, "region_name"))
	}
}
