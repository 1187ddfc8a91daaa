package load

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Workbench is the resource type of tables of NoSQL Workbench data models.
const Workbench = "nosql-workbench"

// isModel tells whether a document is a NoSQL Workbench data model. Versions
// 1, 2 and 3 have the same frame; later ones add capacity and facets' data.
func isModel(doc *node.Node) bool {
	return doc.Get("ModelName") != nil && doc.Get("DataModel") != nil
}

// readModel loads every table of a model. A model has no place for TTL,
// streams, protection, encryption and tags: those are absent, not unresolved.
func readModel(doc *node.Node) Result {
	r := &modelReader{}
	items, _, _ := r.list(doc, "DataModel")
	var out Result
	for _, n := range items {
		out.Tables = append(out.Tables, r.table(n))
	}
	out.Errors = r.errs
	return out
}

type modelReader struct{ apiReader }

func (r *modelReader) table(n *node.Node) *table.Table {
	t := &table.Table{At: n.At, ResourceType: Workbench, Name: r.required(n, "TableName")}
	t.LogicalName, _ = t.Name.Get()
	t.Key = r.keyOf(n, true)
	t.GSIs = r.indexesOf(n, "GlobalSecondaryIndexes", table.GSI, t)
	t.LSIs = r.indexesOf(n, "LocalSecondaryIndexes", table.LSI, t)
	t.Attributes = keyAttributes(t)
	r.billingOf(n, t)
	t.Vectors.At, t.Replicas.At, t.Tags.At = n.At, n.At, n.At
	t.Profile = r.profile(n, t)
	return t
}

// keyOf reads KeyAttributes. The partition key of a local index may be left to
// its table.
func (r *modelReader) keyOf(n *node.Node, whole bool) table.Key {
	attributes := r.object(n, "KeyAttributes")
	key := table.Key{At: at(n)}
	if attributes != nil {
		key.At = attributes.At
	}
	for _, part := range []struct {
		name string
		role table.Role
	}{{"PartitionKey", table.Hash}, {"SortKey", table.Range}} {
		v := r.object(attributes, part.name)
		if v == nil || len(v.Pairs) == 0 {
			if whole && part.role == table.Hash {
				r.errs = append(r.errs, source.Errorf(key.At, "KeyAttributes has no PartitionKey"))
				key.Incomplete = "PartitionKey is missing"
			}
			continue
		}
		e := table.KeyElement{Role: source.Written(part.role, v.At)}
		e.At, e.Name, e.Type = v.At, r.required(v, "AttributeName"), r.required(v, "AttributeType")
		key.Elements = append(key.Elements, e)
	}
	return key
}

func (r *modelReader) indexesOf(n *node.Node, list string, kind table.IndexKind, t *table.Table) source.List[*table.Index] {
	items, place, incomplete := r.list(n, list)
	out := source.List[*table.Index]{At: place, Incomplete: incomplete}
	for _, in := range items {
		ix := &table.Index{At: in.At, Kind: kind, Name: r.required(in, "IndexName"), Key: r.keyOf(in, kind == table.GSI)}
		if kind == table.LSI && len(ix.Key.Partition()) == 0 {
			ix.Key.Elements = append(partitionOf(t.Key), ix.Key.Elements...)
		}
		r.projection(ix, in)
		out.Items = append(out.Items, ix)
	}
	return out
}

// partitionOf are the elements of a key that form its partition key.
func partitionOf(k table.Key) (out []table.KeyElement) {
	for _, e := range k.Elements {
		if source.Is(e.Role, table.Hash) {
			out = append(out, e)
		}
	}
	return out
}

// keyAttributes are the definitions that a model gives with its keys.
func keyAttributes(t *table.Table) source.List[table.AttributeDef] {
	defs := source.List[table.AttributeDef]{At: t.Key.At, Incomplete: t.Key.Incomplete}
	seen := map[string]bool{}
	add := func(k table.Key) {
		for _, e := range k.Elements {
			if name, ok := e.Name.Get(); !ok || !seen[name] {
				seen[name] = ok
				defs.Items = append(defs.Items, table.AttributeDef{Name: e.Name, Type: e.Type, At: e.At})
			}
		}
	}
	add(t.Key)
	for _, ix := range t.Indexes() {
		add(ix.Key)
	}
	return defs
}

// billingOf reads the capacity mode. Models before version 3 do not state it;
// what is then unknown of the capacity follows from the mode.
func (r *modelReader) billingOf(n *node.Node, t *table.Table) {
	settings := r.object(n, "ProvisionedCapacitySettings")
	t.Billing = r.oneOf(n, "BillingMode", table.PayPerRequest, table.Provisioned)
	if t.Billing.Absent() {
		t.Billing = source.Unresolved[string]("not stated in the model", n.At)
	}
	if !source.Is(t.Billing, table.PayPerRequest) {
		t.Capacity, t.Scaling = r.provisioned(n, settings, t.Billing)
	}
	items, _, _ := r.list(n, "GlobalSecondaryIndexes")
	for i, ix := range t.GSIs.Items {
		if !source.Is(t.Billing, table.PayPerRequest) {
			ix.Capacity, ix.Scaling = r.provisioned(items[i], r.object(items[i], "ProvisionedCapacitySettings"), t.Billing)
		}
	}
}

// provisioned reads capacity and scaling of a table or an index. Of a
// provisioned one, settings that are left out are not known.
func (r *modelReader) provisioned(n, settings *node.Node, billing source.Value[string]) (table.Throughput, table.AutoScaling) {
	if settings == nil {
		why := "the model has no ProvisionedCapacitySettings for it"
		if billing.Unresolved() {
			return table.Throughput{}, table.AutoScaling{}
		}
		gap, units := source.Unresolved[table.ScalingTarget](why, n.At), source.Unresolved[int64](why, n.At)
		return table.Throughput{Read: units, Write: units}, table.AutoScaling{Read: gap, Write: gap}
	}
	units := r.throughput(settings, "ProvisionedThroughput", "ReadCapacityUnits", "WriteCapacityUnits")
	return units, table.AutoScaling{Read: r.target(settings, "AutoScalingRead"), Write: r.target(settings, "AutoScalingWrite")}
}

func (r *modelReader) target(settings *node.Node, key string) source.Value[table.ScalingTarget] {
	v := r.object(settings, key)
	if v == nil || len(v.Pairs) == 0 {
		return source.Absent[table.ScalingTarget](settings.At)
	}
	request, policy := r.object(v, "ScalableTargetRequest"), r.object(v, "ScalingPolicyConfiguration")
	return source.Written(table.ScalingTarget{
		Min: r.number(request, "MinCapacity"), Max: r.number(request, "MaxCapacity"),
		Percent: r.decimal(policy, "TargetValue"),
	}, v.At)
}
