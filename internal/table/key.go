package table

import "ddbvet/internal/source"

// Role is an attribute's part in a key schema.
type Role = string

// The roles, as the API names them: HASH is the partition key, RANGE the sort key.
const (
	Hash  Role = "HASH"
	Range Role = "RANGE"
)

// Attribute is one attribute of a key. Type is unresolved or absent where the
// source does not define it.
type Attribute struct {
	Name source.Value[string]
	Type source.Value[Type]
	At   source.Span
}

// KeyElement is one entry of a key schema in written order.
type KeyElement struct {
	Attribute
	Role source.Value[Role]
}

// Key is a key schema as written. A base table has one HASH and at most one
// RANGE element, a GSI up to four of each.
type Key struct {
	Elements   []KeyElement
	At         source.Span
	Incomplete string // why more elements may exist; "" when the schema is whole
}

// Partition returns the partition key attributes in order.
func (k Key) Partition() []Attribute { return k.with(Hash) }

// Sort returns the sort key attributes in order.
func (k Key) Sort() []Attribute { return k.with(Range) }

func (k Key) with(role Role) (out []Attribute) {
	for _, e := range k.Elements {
		if source.Is(e.Role, role) {
			out = append(out, e.Attribute)
		}
	}
	return out
}

// Complete tells whether every element's name and role is known.
func (k Key) Complete() bool {
	for _, e := range k.Elements {
		if !e.Name.Known() || !e.Role.Known() {
			return false
		}
	}
	return k.Incomplete == "" && len(k.Elements) > 0
}

// Has tells whether the attribute is a known part of the key.
func (k Key) Has(name string) bool {
	for _, e := range k.Elements {
		if source.Is(e.Name, name) {
			return true
		}
	}
	return false
}

// IndexKind tells a global from a local secondary index.
type IndexKind string

// The kinds of secondary index.
const (
	GSI IndexKind = "GSI"
	LSI IndexKind = "LSI"
)

// Index is a secondary index. Capacity, MaxOnDemand, Warm and Scaling are a
// GSI's own; an LSI uses its table's.
type Index struct {
	At          source.Span
	Kind        IndexKind
	Name        source.Value[string]
	Key         Key
	Projection  source.Value[string]              // ProjectionAll, ProjectionInclude or ProjectionKeysOnly
	NonKey      source.List[source.Value[string]] // of ProjectionInclude
	Capacity    Throughput
	MaxOnDemand Throughput
	Warm        Throughput
	Scaling     AutoScaling
	ItemCount   source.Value[int64]
	SizeBytes   source.Value[int64]
	Sparse      source.Value[bool] // declared sparse on purpose (design file)
	ReadReplica source.Value[bool] // declared a read-replica index on purpose (design file)
}

// DisplayName is the index's name, or "?" where it is not known.
func (ix *Index) DisplayName() string {
	if n, ok := ix.Name.Get(); ok {
		return n
	}
	return "?"
}

// Projects tells whether the index carries the attribute, and whether that is
// known. Key attributes of the table and of the index are always carried.
func (ix *Index) Projects(t *Table, attribute string) (carried, known bool) {
	if ix.Key.Has(attribute) || t.Key.Has(attribute) {
		return true, true
	}
	switch p, ok := ix.Projection.Get(); {
	case !ok:
		return false, false
	case p == ProjectionAll:
		return true, true
	case p == ProjectionInclude:
		known = ix.NonKey.Complete()
		for _, a := range ix.NonKey.Items {
			if source.Is(a, attribute) {
				return true, true
			}
			known = known && a.Known()
		}
		return false, known && t.Key.Complete() && ix.Key.Complete()
	}
	return false, t.Key.Complete() && ix.Key.Complete()
}
