package load

import (
	"regexp"
	"strconv"
	"time"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func (r *apiReader) attributeDefs() source.List[table.AttributeDef] {
	items, place, incomplete := r.list(r.body, "AttributeDefinitions")
	if r.live && member(r.body, "AttributeDefinitions") == nil {
		incomplete = "AttributeDefinitions is missing"
	}
	defs := source.List[table.AttributeDef]{At: place, Incomplete: incomplete}
	for _, n := range items {
		defs.Items = append(defs.Items, table.AttributeDef{
			At: n.At, Name: r.required(n, "AttributeName"), Type: r.required(n, "AttributeType"),
		})
	}
	return defs
}

// required reads text without which its parent says nothing.
func (r *apiReader) required(n *node.Node, key string) source.Value[string] {
	v := r.text(n, key)
	if v.Absent() {
		r.errs = append(r.errs, source.Errorf(n.At, "%s is missing", key))
		return source.Unresolved[string](key+" is missing", n.At)
	}
	return v
}

// key reads the KeySchema of a table or an index.
func (r *apiReader) key(n *node.Node, defs source.List[table.AttributeDef]) table.Key {
	items, place, incomplete := r.list(n, "KeySchema")
	if member(n, "KeySchema") == nil {
		r.errs = append(r.errs, source.Errorf(n.At, "KeySchema is missing"))
		incomplete = "KeySchema is missing"
	}
	key := table.Key{At: place, Incomplete: incomplete}
	for _, item := range items {
		e := table.KeyElement{Role: r.oneOf(item, "KeyType", table.Hash, table.Range)}
		if e.Role.Absent() {
			r.errs = append(r.errs, source.Errorf(item.At, "KeyType is missing, expected HASH or RANGE"))
			e.Role = source.Unresolved[string]("KeyType is missing", item.At)
		}
		e.Name, e.At = r.required(item, "AttributeName"), item.At
		e.Type = typeOf(e.Name, defs)
		key.Elements = append(key.Elements, e)
	}
	return key
}

// typeOf looks a key attribute up in the definitions.
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

func (r *apiReader) indexes(list string, kind table.IndexKind, defs source.List[table.AttributeDef]) source.List[*table.Index] {
	items, place, incomplete := r.list(r.body, list)
	out := source.List[*table.Index]{At: place, Incomplete: incomplete}
	for _, n := range items {
		ix := &table.Index{
			At: n.At, Kind: kind, Name: r.required(n, "IndexName"), Key: r.key(n, defs),
			ItemCount: r.number(n, "ItemCount"), SizeBytes: r.number(n, "IndexSizeBytes"),
		}
		r.projection(ix, n)
		if kind == table.GSI {
			ix.Capacity = r.throughput(n, "ProvisionedThroughput", "ReadCapacityUnits", "WriteCapacityUnits")
			ix.MaxOnDemand = maximum(r.throughput(n, "OnDemandThroughput", "MaxReadRequestUnits", "MaxWriteRequestUnits"))
			ix.Warm = r.throughput(n, "WarmThroughput", "ReadUnitsPerSecond", "WriteUnitsPerSecond")
			ix.Scaling = r.scaling()
		}
		out.Items = append(out.Items, ix)
	}
	return out
}

func (r *apiReader) projection(ix *table.Index, n *node.Node) {
	p := r.object(n, "Projection")
	if p == nil {
		ix.Projection = source.Absent[string](n.At)
		ix.NonKey.At = n.At
		return
	}
	ix.Projection = r.oneOf(p, "ProjectionType", table.ProjectionAll, table.ProjectionInclude, table.ProjectionKeysOnly)
	ix.NonKey.At = p.At
	v := member(p, "NonKeyAttributes")
	if v == nil {
		return
	}
	ix.NonKey.At = v.At
	if v.Kind != node.Seq {
		ix.NonKey.Incomplete = r.wrong(v, "NonKeyAttributes", "a list")
		return
	}
	for _, item := range v.Items {
		if item.Kind != node.String {
			ix.NonKey.Incomplete = r.wrong(item, "an entry of NonKeyAttributes", "text")
			continue
		}
		ix.NonKey.Items = append(ix.NonKey.Items, source.Written(item.Text, item.At))
	}
}

func (r *apiReader) throughput(n *node.Node, key, read, write string) table.Throughput {
	pair := r.object(n, key)
	if pair == nil {
		return table.Throughput{Read: source.Absent[int64](n.At), Write: source.Absent[int64](n.At)}
	}
	return table.Throughput{Read: r.number(pair, read), Write: r.number(pair, write)}
}

// maximum reads -1, "no maximum", as absent.
func maximum(t table.Throughput) table.Throughput {
	if source.Is(t.Read, -1) {
		t.Read = source.Absent[int64](t.Read.At)
	}
	if source.Is(t.Write, -1) {
		t.Write = source.Absent[int64](t.Write.At)
	}
	return t
}

// withoutZero drops the zeros that DescribeTable shows for an on-demand table,
// which has no provisioned capacity.
func withoutZero(t table.Throughput, billing source.Value[string]) table.Throughput {
	if !source.Is(billing, table.Provisioned) && source.Is(t.Read, 0) && source.Is(t.Write, 0) {
		return table.Throughput{Read: source.Absent[int64](t.Read.At), Write: source.Absent[int64](t.Write.At)}
	}
	return t
}

func (r *apiReader) scaling() table.AutoScaling {
	v := source.Unresolved[table.ScalingTarget](r.gap, r.body.At)
	return table.AutoScaling{Read: v, Write: v}
}

// replicas reads the other Regions of a global table. Only an answer has them.
func (r *apiReader) replicas(t *table.Table) {
	items, place, incomplete := r.list(r.body, "Replicas")
	t.Replicas = source.List[table.Replica]{At: place, Incomplete: incomplete}
	home, _ := t.Region.Get()
	for _, n := range items {
		if rep := r.replica(n); home == "" || !source.Is(rep.Region, home) {
			t.Replicas.Items = append(t.Replicas.Items, rep)
		}
	}
	t.Consistency = r.oneOf(r.body, "MultiRegionConsistency", "EVENTUAL", "STRONG")
	if t.Consistency.Absent() && len(items) > 0 {
		t.Consistency = source.Defaulted("EVENTUAL", place)
	}
	items, place, incomplete = r.list(r.body, "GlobalTableWitnesses")
	t.Witnesses = source.List[source.Value[string]]{At: place, Incomplete: incomplete}
	for _, n := range items {
		t.Witnesses.Items = append(t.Witnesses.Items, r.required(n, "RegionName"))
	}
}

func (r *apiReader) replica(n *node.Node) table.Replica {
	rep := table.Replica{
		At: n.At, Region: r.required(n, "RegionName"),
		Class:              r.oneOf(r.object(n, "ReplicaTableClassSummary"), "TableClass", table.Standard, table.InfrequentAccess),
		PITR:               source.Unresolved[bool](r.gap, n.At),
		DeletionProtection: source.Unresolved[bool](r.gap, n.At),
		ReadScaling:        source.Unresolved[table.ScalingTarget](r.gap, n.At),
		Read:               r.number(r.object(n, "ProvisionedThroughputOverride"), "ReadCapacityUnits"),
		MaxRead:            r.maxRead(n),
	}
	items, _, _ := r.list(n, "GlobalSecondaryIndexes")
	for _, ix := range items {
		rep.Indexes = append(rep.Indexes, table.ReplicaIndex{
			Name: r.required(ix, "IndexName"), MaxRead: r.maxRead(ix), ReadScaling: rep.ReadScaling,
			Read: r.number(r.object(ix, "ProvisionedThroughputOverride"), "ReadCapacityUnits"),
		})
	}
	return rep
}

func (r *apiReader) maxRead(n *node.Node) source.Value[int64] {
	v := r.number(r.object(n, "OnDemandThroughputOverride"), "MaxReadRequestUnits")
	return maximum(table.Throughput{Read: v}).Read
}

// arn matches the ARN of a table in a real Region; emulators write names such
// as "ddblocal" in its place.
var arn = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:([a-z]{2,4}(?:-[a-z]+)+-[0-9]+):([0-9]{12}):table/`)

// home reads Region and account from the ARN. The account of twelve zeros is
// an emulator's.
func (r *apiReader) home() (region source.Value[string], account string) {
	v := r.text(r.body, "TableArn")
	text, ok := v.Get()
	if !ok {
		return v, ""
	}
	m := arn.FindStringSubmatch(text)
	if m == nil {
		return source.Unresolved[string]("TableArn "+strconv.Quote(text)+" names no Region", v.At), ""
	}
	if account = m[2]; account == "000000000000" {
		account = ""
	}
	return source.Written(m[1], v.At), account
}

// created reads CreationDateTime: seconds since the epoch, or ISO 8601 as the
// AWS CLI writes it. Placeholders of recorded answers are unresolved.
func created(body *node.Node) source.Value[int64] {
	v := member(body, "CreationDateTime")
	if v == nil {
		return source.Absent[int64](body.At)
	}
	if v.Kind == node.Number {
		// The bound keeps milliseconds and worse out: 1e11 s is the year 5138.
		if f, err := strconv.ParseFloat(v.Text, 64); err == nil && f >= 0 && f < 1e11 {
			return source.Written(int64(f), v.At)
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, v.Text); v.Kind == node.String && err == nil {
			return source.Written(t.Unix(), v.At)
		}
	}
	return source.Unresolved[int64]("CreationDateTime is "+describeNode(v), v.At)
}
