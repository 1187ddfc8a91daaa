package load

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// indexes returns the definition's indexes with what the design adds. An index
// that only the design has is an error, unless the definition is not whole.
func (s *settler) indexes(def, own source.List[*table.Index]) source.List[*table.Index] {
	out := def
	out.Items = make([]*table.Index, len(def.Items))
	for i, ix := range def.Items {
		c := *ix
		out.Items[i] = &c
	}
	for _, ix := range own.Items {
		name, ok := ix.Name.Get()
		i := slices.IndexFunc(out.Items, func(d *table.Index) bool { return ok && source.Is(d.Name, name) })
		switch {
		case i >= 0:
			s.index(name, out.Items[i], ix)
		case !ok || !wholeNames(def):
			out.Items = append(out.Items, ix)
		default:
			s.errs = append(s.errs, source.Errorf(ix.At, "table %q has no %s %q in its definition at %s", s.name, ix.Kind, name, def.At))
		}
	}
	return out
}

// wholeNames tells whether every index and its name is known.
func wholeNames(l source.List[*table.Index]) bool {
	return l.Complete() && !slices.ContainsFunc(l.Items, func(ix *table.Index) bool { return !ix.Name.Known() })
}

func (s *settler) index(name string, def, own *table.Index) {
	of := fmt.Sprintf(" of index %q", name)
	s.key("the key"+of, &def.Key, own.Key)
	settle(s, "the projection"+of, &def.Projection, own.Projection, false)
	if source.Is(own.Projection, table.ProjectionInclude) && source.Is(def.Projection, table.ProjectionInclude) {
		s.nonKey(of, def, own)
	}
	s.throughput(of, &def.Capacity, own.Capacity, &def.MaxOnDemand, own.MaxOnDemand, &def.Warm, own.Warm)
	if own.Scaling.Read.Known() || own.Scaling.Write.Known() {
		s.scaling(of, &def.Scaling, own.Scaling)
	}
	settle(s, "item_count"+of, &def.ItemCount, own.ItemCount, true)
	settle(s, "size"+of, &def.SizeBytes, own.SizeBytes, true)
	settle(s, "sparse"+of, &def.Sparse, own.Sparse, true)
	settle(s, "read_replica"+of, &def.ReadReplica, own.ReadReplica, true)
}

func (s *settler) nonKey(of string, def, own *table.Index) {
	a, known := texts(own.NonKey)
	b, defKnown := texts(def.NonKey)
	switch {
	case !known:
	case !defKnown:
		def.NonKey = own.NonKey
	case a != b:
		s.differ("the projected attributes"+of, own.NonKey.At, a, def.NonKey.At, b)
	}
}

// texts writes a set of names in order, and tells whether all are known.
func texts(l source.List[source.Value[string]]) (string, bool) {
	var out []string
	known := l.Complete()
	for _, v := range l.Items {
		text, ok := v.Get()
		out, known = append(out, text), known && ok
	}
	slices.Sort(out)
	return "[" + strings.Join(slices.Compact(out), ", ") + "]", known
}

// replicas compares Regions where the design lists any. Settings of a replica
// are the definition's.
func (s *settler) replicas(t, own *table.Table) {
	if len(own.Replicas.Items) == 0 {
		return
	}
	regions := func(l source.List[table.Replica]) source.List[source.Value[string]] {
		out := source.List[source.Value[string]]{At: l.At, Incomplete: l.Incomplete}
		for _, r := range l.Items {
			out.Items = append(out.Items, r.Region)
		}
		return out
	}
	a, known := texts(regions(own.Replicas))
	b, defKnown := texts(regions(t.Replicas))
	switch {
	case !known:
	case !defKnown:
		t.Replicas = own.Replicas
	case a != b && !s.ownRegionApart(t, own):
		s.differ("the list of replicas", own.Replicas.At, a, t.Replicas.At, b)
	}
}

// ownRegionApart tells whether the lists differ only in that a GlobalTable
// resource names its own Region too.
func (s *settler) ownRegionApart(t, own *table.Table) bool {
	for _, o := range own.Replicas.Items {
		region, _ := o.Region.Get()
		if !slices.ContainsFunc(t.Replicas.Items, func(d table.Replica) bool { return source.Is(d.Region, region) }) {
			return false
		}
	}
	return t.ResourceType == "AWS::DynamoDB::GlobalTable" && len(t.Replicas.Items) == len(own.Replicas.Items)+1
}

// tags checks the tags that the design states against the definition's.
func (s *settler) tags(t, own *table.Table) {
	t.Tags.Items = slices.Clone(t.Tags.Items)
	for _, o := range own.Tags.Items {
		key, _ := o.Key.Get()
		i := slices.IndexFunc(t.Tags.Items, func(d table.Tag) bool { return source.Is(d.Key, key) })
		switch {
		case i >= 0:
			settle(s, fmt.Sprintf("the tag %q", key), &t.Tags.Items[i].Value, o.Value, false)
		case t.Tags.Complete():
			s.differ(fmt.Sprintf("the tag %q", key), o.Key.At, "set", t.Tags.At, "not set")
		default:
			t.Tags.Items = append(t.Tags.Items, o)
		}
	}
}
