package load

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// settler joins a table of a design file with the definition it names. The
// definition says what is deployed; a design that states the same thing
// otherwise is an error, because one of the two is wrong.
type settler struct {
	name string
	errs []*source.Diagnostic
}

// differ reports one disagreement with both places.
func (s *settler) differ(what string, here source.Span, own string, there source.Span, def string) {
	s.errs = append(s.errs, source.Errorf(here, "%s of table %q is %s here and %s in its definition at %s", what, s.name, own, def, there))
}

// settle checks a value that the design states and fills one that the
// definition leaves open. open: the definition cannot or need not say it, so
// that what it leaves out is not a statement.
func settle[T comparable](s *settler, what string, def *source.Value[T], own source.Value[T], open bool) {
	want, ok := own.Get()
	if !ok || !own.Written() {
		return
	}
	got, known := def.Get()
	switch {
	case def.Unresolved(), open && !def.Written():
		*def = own
	case !known:
		s.differ(what, own.At, fmt.Sprint(want), def.At, "not set")
	case got != want:
		s.differ(what, own.At, fmt.Sprint(want), def.At, fmt.Sprint(got))
	}
}

// merge returns the definition's table with the design's evidence.
func (s *settler) merge(def, own *table.Table) *table.Table {
	t := *def
	t.Definition, t.Declared = own.Definition, own.Declared
	t.Entities, t.Patterns = own.Entities, own.Patterns
	if !source.Is(own.Name, def.LogicalName) {
		before := len(s.errs)
		settle(s, "the name", &t.Name, own.Name, true)
		for _, e := range s.errs[before:] { // a name that a parameter makes cannot be written twice
			e.Message += fmt.Sprintf("; leave \"name\" out, access patterns may say table = %q", def.LogicalName)
		}
	}
	settle(s, "the Region", &t.Region, own.Region, true)
	settle(s, "item_count", &t.ItemCount, own.ItemCount, true)
	settle(s, "size", &t.SizeBytes, own.SizeBytes, true)

	s.key("the key", &t.Key, own.Key)
	s.attributes(&t, own)
	t.GSIs = s.indexes(def.GSIs, own.GSIs)
	t.LSIs = s.indexes(def.LSIs, own.LSIs)
	s.settings(&t, own)
	return &t
}

func (s *settler) settings(t, own *table.Table) {
	settle(s, "billing", &t.Billing, own.Billing, false)
	s.throughput("", &t.Capacity, own.Capacity, &t.MaxOnDemand, own.MaxOnDemand, &t.Warm, own.Warm)
	s.scaling("", &t.Scaling, own.Scaling)
	settle(s, "the class", &t.Class, own.Class, false)
	settle(s, "the ttl attribute", &t.TTL.Attribute, own.TTL.Attribute, false)
	if t.TTL.Enabled.Unresolved() && own.TTL.Enabled.Written() {
		t.TTL.Enabled = own.TTL.Enabled
	}
	settle(s, "pitr", &t.PITR, own.PITR, false)
	settle(s, "deletion_protection", &t.DeletionProtection, own.DeletionProtection, false)
	settle(s, "the stream", &t.StreamView, own.StreamView, false)
	settle(s, "kms_key", &t.KMSKey, own.KMSKey, false)
	s.replicas(t, own)
	s.tags(t, own)
}

// throughput settles the three pairs of limits of a table or an index.
func (s *settler) throughput(of string, units *table.Throughput, ownUnits table.Throughput, limit *table.Throughput, ownLimit table.Throughput, warm *table.Throughput, ownWarm table.Throughput) {
	settle(s, "read_capacity"+of, &units.Read, ownUnits.Read, false)
	settle(s, "write_capacity"+of, &units.Write, ownUnits.Write, false)
	settle(s, "max_read"+of, &limit.Read, ownLimit.Read, false)
	settle(s, "max_write"+of, &limit.Write, ownLimit.Write, false)
	settle(s, "warm_read"+of, &warm.Read, ownWarm.Read, true)
	settle(s, "warm_write"+of, &warm.Write, ownWarm.Write, true)
}

// scaling compares targets by their numbers. A design's absent target is the
// statement that there is none.
func (s *settler) scaling(of string, def *table.AutoScaling, own table.AutoScaling) {
	one := func(what string, def *source.Value[table.ScalingTarget], own source.Value[table.ScalingTarget]) {
		switch {
		case own.Unresolved():
		case def.Unresolved():
			*def = own
		case showTarget(*def) != showTarget(own):
			s.differ(what+of, own.At, showTarget(own), def.At, showTarget(*def))
		}
	}
	one("read auto scaling", &def.Read, own.Read)
	one("write auto scaling", &def.Write, own.Write)
}

func showTarget(v source.Value[table.ScalingTarget]) string {
	t, ok := v.Get()
	if !ok {
		return "none"
	}
	low, _ := t.Min.Get()
	high, _ := t.Max.Get()
	percent, _ := t.Percent.Get()
	return fmt.Sprintf("%d to %d at %v %%", low, high, percent)
}

// key settles a key that the design states as well.
func (s *settler) key(what string, def *table.Key, own table.Key) {
	if !own.Complete() {
		return
	}
	if !def.Complete() {
		*def = own
		return
	}
	if a, b := names(own), names(*def); a != b {
		s.differ(what, own.At, a, def.At, b)
		return
	}
	def.Elements = slices.Clone(def.Elements)
	for i := range def.Elements {
		name, _ := def.Elements[i].Name.Get()
		for _, e := range own.Elements {
			if source.Is(e.Name, name) {
				settle(s, fmt.Sprintf("the type of %q", name), &def.Elements[i].Type, e.Type, false)
			}
		}
	}
}

// names writes a key's parts in order, such as "(a, b; c)".
func names(k table.Key) string {
	join := func(attributes []table.Attribute) string {
		var out []string
		for _, a := range attributes {
			n, _ := a.Name.Get()
			out = append(out, n)
		}
		return strings.Join(out, ", ")
	}
	if len(k.Sort()) == 0 {
		return "(" + join(k.Partition()) + ")"
	}
	return "(" + join(k.Partition()) + "; " + join(k.Sort()) + ")"
}

// attributes keeps the definition's list; a type it cannot tell is the
// design's.
func (s *settler) attributes(t, own *table.Table) {
	t.Attributes.Items = slices.Clone(t.Attributes.Items)
	for i := range t.Attributes.Items {
		d := &t.Attributes.Items[i]
		name, ok := d.Name.Get()
		for _, o := range own.Attributes.Items {
			if ok && source.Is(o.Name, name) && d.Type.Unresolved() {
				d.Type = o.Type
			}
		}
	}
}
