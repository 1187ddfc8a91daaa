package load

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// table reads one [[table]]. What the file leaves out has the meaning that a
// new table would have; of a table with a definition it is unresolved, since
// the definition says it.
func (d *designFile) table(s *section) *table.Table {
	t := &table.Table{At: s.n.At, ResourceType: "design", Name: s.text("name"), Region: s.text("region")}
	if t.Region.Absent() && !d.region.Absent() {
		t.Region = d.region
	}
	t.Definition = field(s, "definition", asDefinition)
	t.LogicalName = logicalName(t)
	d.keys(s, t)
	d.settings(s, t)
	indexes, locals, entities := s.tables("gsi"), s.tables("lsi"), s.tables("entity")
	s.done()

	for _, sub := range indexes {
		d.addIndex(t, &t.GSIs, d.gsi(sub, t))
	}
	for _, sub := range locals {
		d.addIndex(t, &t.LSIs, d.lsi(sub, t))
	}
	if t.Definition.Known() || t.Definition.Unresolved() {
		why := "other indexes may be in the definition"
		t.GSIs.Incomplete, t.LSIs.Incomplete = why, why
	}
	for _, sub := range entities {
		d.addEntity(t, d.entity(sub))
	}
	d.attributes(t)
	d.entityKeys(t)
	return t
}

// logicalName is the table's name, else the resource its definition names.
func logicalName(t *table.Table) string {
	if n, ok := t.Name.Get(); ok {
		return n
	}
	if def, ok := t.Definition.Get(); ok {
		return def[strings.LastIndexByte(def, '#')+1:]
	}
	return "?"
}

func asDefinition(n *node.Node) (string, string) {
	text, wrong := asText(n)
	if wrong != "" {
		return "", wrong
	}
	if i := strings.LastIndexByte(text, '#'); i < 1 || i == len(text)-1 {
		return "", `must be "file#Resource", such as "infra/template.yaml#ResultsTable", not ` + describe(n)
	}
	return text, ""
}

// keys reads the primary key and reports a table that has none.
func (d *designFile) keys(s *section, t *table.Table) {
	if t.Name.Absent() && t.Definition.Absent() {
		d.errorf(s.n.At, `[[table]] needs a "name"`)
		t.Name = source.Unresolved[string](`"name" is missing`, s.n.At)
	}
	t.Key = d.key(s, "partition_key", "sort_key")
	if len(t.Key.Elements) > 0 || t.Key.Incomplete != "" {
		if !s.has("partition_key") {
			d.errorf(s.n.At, `[[table]] has a "sort_key" and needs a "partition_key" such as "id:S"`)
			t.Key.Incomplete = `"partition_key" is missing`
		}
		return
	}
	if def, ok := t.Definition.Get(); ok {
		t.Key.Incomplete = "it is in the definition " + def
		return
	}
	t.Key.Incomplete = `"partition_key" is missing`
	if t.Definition.Absent() {
		d.errorf(s.n.At, `[[table]] needs a "partition_key" such as "id:S", or a "definition" such as "infra/template.yaml#Table"`)
	}
}

// settings reads everything but keys and indexes.
func (d *designFile) settings(s *section, t *table.Table) {
	at := s.n.At
	t.Billing = or(field(s, "billing", oneOf("on-demand", table.PayPerRequest, "provisioned", table.Provisioned)),
		source.Unresolved[string]("billing is not stated", at))
	t.Capacity, t.MaxOnDemand, t.Warm = s.throughputs()
	t.Scaling = s.scaling(t.Billing)
	t.Class = field(s, "class", oneOf("standard", table.Standard, "standard-ia", table.InfrequentAccess))
	t.TTL = table.TTL{Attribute: s.text("ttl")}
	t.PITR, t.DeletionProtection = s.truth("pitr"), s.truth("deletion_protection")
	t.StreamView = field(s, "stream", oneOf("new-and-old-images", "NEW_AND_OLD_IMAGES", "new-image", "NEW_IMAGE",
		"old-image", "OLD_IMAGE", "keys-only", "KEYS_ONLY"))
	t.KMSKey = s.text("kms_key")
	replicas := s.texts("replicas")
	t.Replicas = source.List[table.Replica]{At: replicas.At, Incomplete: replicas.Incomplete}
	for _, r := range replicas.Items {
		t.Replicas.Items = append(t.Replicas.Items, table.Replica{At: r.At, Region: r})
	}
	s.entries("tags", `tags = { owner = "shop" }`, func(sub *section, key string, v *node.Node) {
		k := source.Written(key, sub.keyAt(key))
		t.Tags.Items = append(t.Tags.Items, table.Tag{Key: k, Value: value(sub, key, v, asLiteral)})
		t.Tags.At = sub.n.At
	})
	t.ItemCount, t.SizeBytes = s.whole("item_count", 0), s.size("size")
	t.TTL.Enabled = source.Map(t.TTL.Attribute, func(string) bool { return true })
	if t.Definition.Absent() {
		t.Class = or(t.Class, source.Defaulted(table.Standard, at))
		t.PITR = or(t.PITR, source.Defaulted(false, at))
		t.DeletionProtection = or(t.DeletionProtection, source.Defaulted(false, at))
		t.TTL.Enabled = or(t.TTL.Enabled, source.Defaulted(false, at))
		return
	}
	unsaid(at, &t.Class, &t.StreamView, &t.KMSKey, &t.TTL.Attribute, &t.Region)
	unsaid(at, &t.PITR, &t.DeletionProtection, &t.TTL.Enabled)
	unsaid(at, &t.Capacity.Read, &t.Capacity.Write, &t.MaxOnDemand.Read, &t.MaxOnDemand.Write, &t.Warm.Read, &t.Warm.Write)
	if !s.has("autoscaling") {
		unsaid(at, &t.Scaling.Read, &t.Scaling.Write)
	}
	unsaid(at, &t.Name)
	if !s.has("replicas") {
		t.Replicas.Incomplete = whyDefinition
	}
	if !s.has("tags") {
		t.Tags.Incomplete = whyDefinition
	}
}

const whyDefinition = "it is in the definition"

// or is v, or instead where v is absent.
func or[T any](v, instead source.Value[T]) source.Value[T] {
	if v.Absent() {
		return instead
	}
	return v
}

// unsaid makes absent values unresolved: the definition may have them.
func unsaid[T any](at source.Span, values ...*source.Value[T]) {
	for _, v := range values {
		*v = or(*v, source.Unresolved[T](whyDefinition, at))
	}
}

// keyAt is the place of a written key.
func (s *section) keyAt(key string) source.Span {
	for _, p := range s.n.Pairs {
		if p.Key.Text == key {
			return p.Key.At
		}
	}
	return s.n.At
}

func (s *section) throughputs() (capacity, limit, warm table.Throughput) {
	pair := func(prefix string, suffix string) table.Throughput {
		return table.Throughput{Read: s.whole(prefix+"read"+suffix, 1), Write: s.whole(prefix+"write"+suffix, 1)}
	}
	return pair("", "_capacity"), pair("max_", ""), pair("warm_", "")
}

// scaling reads autoscaling = { read = {…}, write = {…} } or false. Where none
// is stated there is none, unless the billing mode is unknown too.
func (s *section) scaling(billing source.Value[string]) (a table.AutoScaling) {
	n := s.get("autoscaling")
	none := source.Absent[table.ScalingTarget](s.n.At)
	switch {
	case n == nil && billing.Unresolved():
		none = source.Unresolved[table.ScalingTarget]("neither billing nor auto scaling is stated", s.n.At)
		return table.AutoScaling{Read: none, Write: none}
	case n == nil:
		return table.AutoScaling{Read: none, Write: none}
	case n.Kind == node.Bool && n.Text == "false":
		none.At = n.At
		return table.AutoScaling{Read: none, Write: none}
	case n.Kind != node.Map:
		s.d.errorf(n.At, `"autoscaling" in %s must be a table such as { read = { min = 5, max = 100, target = 70 } } or false, not %s`, s.title, describe(n))
		none = source.Unresolved[table.ScalingTarget](`"autoscaling" is not readable`, n.At)
		return table.AutoScaling{Read: none, Write: none}
	}
	sub := &section{d: s.d, n: n, title: "autoscaling of " + s.title, parent: s}
	a = table.AutoScaling{Read: sub.target("read"), Write: sub.target("write")}
	sub.done()
	return a
}

func (s *section) target(key string) source.Value[table.ScalingTarget] {
	n := s.get(key)
	if n == nil {
		return source.Absent[table.ScalingTarget](s.n.At)
	}
	sub := s.table(key, "{ min = 5, max = 100, target = 70 }")
	if sub == nil {
		return source.Unresolved[table.ScalingTarget]("it is not readable", n.At)
	}
	sub.title = key + " of " + s.title
	t := table.ScalingTarget{Min: sub.whole("min", 1), Max: sub.whole("max", 1), Percent: field(sub, "target", asPercent)}
	sub.done()
	if t.Min.Absent() || t.Max.Absent() {
		s.d.errorf(sub.n.At, `%s needs "min" and "max"`, sub.title)
		t.Min = or(t.Min, source.Unresolved[int64](`"min" is missing`, sub.n.At))
		t.Max = or(t.Max, source.Unresolved[int64](`"max" is missing`, sub.n.At))
	}
	low, lowKnown := t.Min.Get()
	if high, ok := t.Max.Get(); ok && lowKnown && low > high {
		s.d.errorf(t.Max.At, `"max" in %s must be at least "min", which is %d, not %d`, sub.title, low, high)
	}
	return source.Written(t, sub.n.At)
}

// asPercent takes a target utilisation in percent; its bounds are a rule's.
func asPercent(n *node.Node) (float64, string) {
	f, ok := finite(n)
	if !ok || f <= 1 || f > 100 {
		return 0, "must be a percentage such as 70, not " + describe(n)
	}
	return f, ""
}
