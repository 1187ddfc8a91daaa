package cfn

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const perReplica = "differs per replica"

// replicas reads every replica and what the table is where they agree.
func (e *eval) replicas(t *table.Table, props value, at source.Span) {
	l := e.list(e.field(props, "Replicas"), "Region")
	t.Replicas = source.List[table.Replica]{At: l.at, Incomplete: l.incomplete}
	sse := e.part(props, "SSESpecification", sseNames)
	var keys []source.Value[string]
	for _, it := range l.items {
		e.checkNames(it, "Replicas", replicaNames)
		rep := table.Replica{
			At: it.at(), Region: e.text(e.field(it, "Region")),
			Class: e.word(e.field(it, "TableClass"), table.Standard, table.InfrequentAccess),
			PITR: scalar(e, e.field(e.part(it, "PointInTimeRecoverySpecification", pitrNames),
				"PointInTimeRecoveryEnabled"), asBool, nil),
			DeletionProtection: scalar(e, e.field(it, "DeletionProtectionEnabled"), asBool, nil),
		}
		rep.Read, rep.MaxRead, rep.ReadScaling = e.reads(it, props)
		rep.Indexes = e.replicaIndexes(it, props)
		t.Replicas.Items = append(t.Replicas.Items, rep)
		keys = append(keys, e.text(e.field(e.part(it, "SSESpecification", sseNames), "KMSMasterKeyId")))
		mergeTags(t, e.tags(e.field(it, "Tags")), len(t.Replicas.Items) == 1)
	}
	e.agreed(t, at, l.incomplete)
	t.KMSKey = e.replicaKey(sse, keys, l.incomplete, at)
}

// reads reads the read settings of a replica or of an index in it; what it
// does not set may be set for all at the top.
func (e *eval) reads(it, top value) (units, limit source.Value[int64], scaling source.Value[table.ScalingTarget]) {
	settings := e.part(it, "ReadProvisionedThroughputSettings", readSettingNames)
	if settings.alts[0].absent() {
		settings = e.part(top, "ReadProvisionedThroughputSettings", readSettingNames)
	}
	onDemand := e.field(it, "ReadOnDemandThroughputSettings")
	if onDemand.alts[0].absent() {
		onDemand = e.field(top, "ReadOnDemandThroughputSettings")
	}
	return e.units(e.field(settings, "ReadCapacityUnits")), e.limit(e.field(onDemand, "MaxReadRequestUnits")),
		e.autoScaling(settings, "ReadCapacityAutoScalingSettings")
}

// replicaIndexes reads the indexes of a replica. What the list may hold under
// a condition is unresolved for every index of the table.
func (e *eval) replicaIndexes(it, props value) (out []table.ReplicaIndex) {
	top := e.list(e.field(props, "GlobalSecondaryIndexes"), "IndexName")
	own := e.list(e.field(it, "GlobalSecondaryIndexes"), "IndexName")
	for _, ix := range own.items {
		e.checkNames(ix, "GlobalSecondaryIndexes of a replica", replicaIndexNames)
		ri := table.ReplicaIndex{Name: e.text(e.field(ix, "IndexName"))}
		settings := absentAt(ix.at())
		for _, g := range top.items {
			if name, ok := ri.Name.Get(); ok && source.Is(e.text(e.field(g, "IndexName")), name) {
				settings = g
			}
		}
		ri.Read, ri.MaxRead, ri.ReadScaling = e.reads(ix, settings)
		out = append(out, ri)
	}
	if own.incomplete == "" {
		return out
	}
	for _, g := range top.items {
		name := e.text(e.field(g, "IndexName"))
		if n, ok := name.Get(); ok && replicaIndex(out, n) == nil {
			out = append(out, unknownIndex(name, own.incomplete, own.at))
		}
	}
	return out
}

func replicaIndex(list []table.ReplicaIndex, name string) *table.ReplicaIndex {
	for i := range list {
		if source.Is(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}

func unknownIndex(name source.Value[string], why string, at source.Span) table.ReplicaIndex {
	units := source.Unresolved[int64](why, at)
	return table.ReplicaIndex{
		Name: name, Read: units, MaxRead: units,
		ReadScaling: source.Unresolved[table.ScalingTarget](why, at),
	}
}

// agreed fills what the table is as a whole: what all replicas agree on, with
// the default for those that do not say.
func (e *eval) agreed(t *table.Table, at source.Span, incomplete string) {
	pitr := []source.Value[bool]{}
	protected := []source.Value[bool]{}
	class := []source.Value[string]{}
	reads := []source.Value[table.ScalingTarget]{}
	for _, r := range t.Replicas.Items {
		pitr = append(pitr, or(r.PITR, false, at))
		protected = append(protected, or(r.DeletionProtection, false, at))
		class = append(class, or(r.Class, table.Standard, at))
		reads = append(reads, r.ReadScaling)
	}
	t.PITR = whole(pitr, false, incomplete, at)
	t.DeletionProtection = whole(protected, false, incomplete, at)
	t.Class = whole(class, table.Standard, incomplete, at)
	t.Scaling.Read = wholeScaling(reads, incomplete, at)
	for _, ix := range t.GSIs.Items {
		var reads []source.Value[table.ScalingTarget]
		for _, r := range t.Replicas.Items {
			name, _ := ix.Name.Get()
			if ri := replicaIndex(r.Indexes, name); ri != nil {
				reads = append(reads, ri.ReadScaling)
			} else {
				reads = append(reads, source.Absent[table.ScalingTarget](r.At))
			}
		}
		ix.Scaling.Read = wholeScaling(reads, incomplete, at)
	}
}

func or[T any](v source.Value[T], def T, at source.Span) source.Value[T] {
	if v.Absent() {
		return source.Defaulted(def, at)
	}
	return v
}

func whole[T comparable](vs []source.Value[T], def T, incomplete string, at source.Span) source.Value[T] {
	switch {
	case incomplete != "":
		return source.Unresolved[T](incomplete, at)
	case len(vs) == 0:
		return source.Defaulted(def, at)
	}
	for _, v := range vs {
		if v.Unresolved() {
			return v
		}
	}
	return agree(vs, perReplica, at)
}

// wholeScaling is the scaling that every replica has alike.
func wholeScaling(vs []source.Value[table.ScalingTarget], incomplete string, at source.Span) source.Value[table.ScalingTarget] {
	switch {
	case incomplete != "":
		return source.Unresolved[table.ScalingTarget](incomplete, at)
	case len(vs) == 0:
		return source.Absent[table.ScalingTarget](at)
	}
	for _, v := range vs[1:] {
		if !sameScaling(vs[0], v) {
			return source.Unresolved[table.ScalingTarget](perReplica, at)
		}
	}
	return vs[0]
}

func sameScaling(a, b source.Value[table.ScalingTarget]) bool {
	x, known := a.Get()
	y, also := b.Get()
	if !known || !also {
		return a.Absent() && b.Absent()
	}
	return sameNumber(x.Min, y.Min) && sameNumber(x.Max, y.Max) && sameNumber(x.Percent, y.Percent)
}

func sameNumber[T int64 | float64](a, b source.Value[T]) bool {
	x, known := a.Get()
	y, also := b.Get()
	return known && also && x == y || a.Absent() && b.Absent()
}

// mergeTags keeps the tags that every replica carries.
func mergeTags(t *table.Table, of source.List[table.Tag], first bool) {
	if first {
		t.Tags = of
		return
	}
	var both []table.Tag
	for _, a := range t.Tags.Items {
		for _, b := range of.Items {
			if sameText(a.Key, b.Key) && sameText(a.Value, b.Value) {
				both = append(both, a)
				break
			}
		}
	}
	if len(both) != len(t.Tags.Items) || len(both) != len(of.Items) || !of.Complete() {
		t.Tags.Incomplete = perReplica
	}
	t.Tags.Items = both
}

func sameText(a, b source.Value[string]) bool {
	x, known := a.Get()
	y, also := b.Get()
	return known && also && x == y
}

// replicaKey is the customer's key of a global table: each replica has its
// own, and the table's is known where they are the same.
func (e *eval) replicaKey(sse value, keys []source.Value[string], incomplete string, at source.Span) source.Value[string] {
	enabled := e.boolean(e.field(sse, "SSEEnabled"), at)
	switch {
	case source.Is(enabled, false):
		return source.Absent[string](enabled.At)
	case enabled.Unresolved():
		return source.Unresolved[string](enabled.Why, enabled.At)
	case incomplete != "":
		return source.Unresolved[string](incomplete, at)
	case len(keys) == 0:
		return source.Absent[string](at)
	}
	for _, k := range keys {
		if k.Unresolved() {
			return k
		}
	}
	return agree(keys, perReplica, at)
}
