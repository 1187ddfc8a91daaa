package terraform

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// answer is whether one thing is another, as far as that can be known.
type answer int

const (
	no answer = iota
	maybe
	yes
)

// ofTable tells whether a value of a resource names a table: by its name or
// ARN, or by what an unknown value refers to.
func (m *mapper) ofTable(r *Resource, v *node.Node, j joined) answer {
	if v == nil {
		return no
	}
	if IsUnknown(v) {
		return m.refers(r, v, j.res)
	}
	text := v.Text
	if _, after, ok := strings.Cut(text, ":table/"); ok && strings.HasPrefix(text, "arn:") {
		text = after
	}
	return m.isNamed(text, j)
}

// isNamed tells whether a literal is the name of a table. One of which the name
// is not known cannot have the name of another: names are unique.
func (m *mapper) isNamed(name string, j joined) answer {
	switch got, known := j.table.Name.Get(); {
	case known && got == name:
		return yes
	case known:
		return no
	}
	for _, other := range m.tables {
		if source.Is(other.table.Name, name) {
			return no
		}
	}
	if n := member(j.res.Body, "name"); n != nil && IsUnknown(n) && !fits(n.Items, name) {
		return no
	}
	return maybe
}

// fits tells whether a literal can be the value of a template: it begins with
// its first literal and ends with its last.
func fits(parts []*node.Node, text string) bool {
	if len(parts) == 0 {
		return true
	}
	if first := parts[0]; first.Tag != RefTag && !strings.HasPrefix(text, first.Text) {
		return false
	}
	last := parts[len(parts)-1]
	return last.Tag == RefTag || strings.HasSuffix(text, last.Text)
}

// refers tells whether an unknown value comes from a resource. What names a
// resource of many instances without a key names the one of the same key,
// where the key is a part of the value.
func (m *mapper) refers(from *Resource, v *node.Node, to *Resource) answer {
	refs, keyed := references(v)
	mentioned, other, elsewhere := false, false, false
	for _, ref := range refs {
		switch r, exact := m.named(ref); {
		case r == nil:
		case r.Base != to.Base:
			elsewhere = true
		case exact && r.Address == to.Address:
			return m.alone(refs, to)
		case exact:
			other = true
		default:
			mentioned = true
		}
	}
	keyed = keyed && from.Key != ""
	switch {
	case other:
		return no
	case mentioned && (m.instances(to.Base) == 1 || keyed && from.Key == to.Key):
		return m.alone(refs, to)
	case mentioned && keyed && m.hasKey(to.Base, from.Key):
		return no
	case mentioned:
		return maybe
	case elsewhere:
		return no
	}
	return maybe
}

// references are what goes into an unknown value, and whether the key of
// count or for_each does.
func references(v *node.Node) (refs []string, keyed bool) {
	for _, p := range v.Items {
		switch {
		case p.Tag != RefTag:
		case p.Text == "each.key" || p.Text == "count.index":
			keyed = true
		default:
			refs = append(refs, p.Text)
		}
	}
	return refs, keyed
}

// alone weakens a hit where the value may as well come from another resource
// of the same type that exists.
func (m *mapper) alone(refs []string, to *Resource) answer {
	for _, ref := range refs {
		if r, _ := m.named(ref); r != nil && r.Type == to.Type && r.Base != to.Base {
			return maybe
		}
	}
	return yes
}

// named finds the resource that a reference names, and tells whether it names
// one instance by its key. A reference to what does not exist finds nothing.
func (m *mapper) named(ref string) (r *Resource, key bool) {
	for i := range m.resources {
		c := &m.resources[i]
		if source.Is(c.Exists, false) {
			continue
		}
		if rest, ok := strings.CutPrefix(ref, c.Address); ok && (rest == "" || rest[0] == '.') && c.Address != c.Base {
			return c, true
		}
		if rest, ok := strings.CutPrefix(ref, c.Base); ok && (rest == "" || rest[0] == '.') {
			r = c
		} else if ok && rest[0] == '[' && r == nil && !strings.HasPrefix(rest, c.Address[len(c.Base):]) {
			r, key = c, true
		}
	}
	if r != nil && key {
		return &Resource{Type: r.Type, Base: r.Base, Address: ref}, true
	}
	return r, false
}

func (m *mapper) instances(base string) (n int) {
	for i := range m.resources {
		if m.resources[i].Base == base && !source.Is(m.resources[i].Exists, false) {
			n++
		}
	}
	return n
}

func (m *mapper) hasKey(base, key string) bool {
	for i := range m.resources {
		if m.resources[i].Base == base && m.resources[i].Key == key {
			return true
		}
	}
	return false
}

// joinReplicas adds replicas that are resources of their own.
func (m *mapper) joinReplicas() {
	m.each(TypeReplica, func(r *Resource) {
		rep := table.Replica{
			At: r.At, Region: m.region(r), PITR: m.flag(r.Body, "point_in_time_recovery"),
			Class:              m.word(r.Body, "table_class_override", table.Standard, table.InfrequentAccess),
			DeletionProtection: m.flag(r.Body, "deletion_protection_enabled"),
		}
		for _, j := range m.tables {
			list := &j.table.Replicas
			switch hit := m.ofTable(r, member(r.Body, "global_table_arn"), j); {
			case hit == no:
			case hit == maybe || r.doubt() != "":
				if list.Incomplete == "" {
					list.Incomplete = r.Address + " may be a replica of this table"
				}
			case !rep.Region.Known() || !hasRegion(list.Items, rep.Region):
				list.Items = append(list.Items, rep)
				if j.table.Consistency.Absent() {
					j.table.Consistency = source.Defaulted("EVENTUAL", r.At)
				}
			}
		}
	})
}

func hasRegion(replicas []table.Replica, region source.Value[string]) bool {
	name, _ := region.Get()
	for _, r := range replicas {
		if source.Is(r.Region, name) {
			return true
		}
	}
	return false
}
