package cost

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Bytes that billed storage adds to an item, and those that a global table
// adds to an item of the table itself. Source: developer guide, "DynamoDB
// capacity unit consumption" and "Understanding DynamoDB billing".
const (
	ItemOverhead       = 100
	ReplicatedOverhead = 48
)

// stored is billed bytes: the part that is known, and what more there is.
type stored struct {
	bytes   float64
	any     bool // whether a part is known
	missing []string
}

// storage adds the stored bytes of table and indexes in each Region, and
// point-in-time recovery, which covers the table and its LSIs but no GSI.
func (b *biller) storage() {
	base := b.baseBytes()
	for _, at := range b.at {
		b.storageLines(at, "", base)
	}
	covered := base
	for _, ix := range b.t.Indexes() {
		s := b.indexBytes(ix)
		for _, at := range b.at {
			b.storageLines(at, ix.DisplayName(), s)
		}
		if ix.Kind == table.LSI {
			covered.bytes += s.bytes
			covered.missing = slices.Concat(covered.missing, s.missing)
		}
	}
	for _, at := range b.at {
		b.pitr(at, covered)
	}
}

// storageLines adds the known part as one line and, where there is more,
// another without a quantity.
func (b *biller) storageLines(at place, index string, s stored) {
	b.gigabytes(at, StorageComponent, Storage, index, s)
	of := "table"
	if index != "" {
		of = fmt.Sprintf("index %q", index)
	}
	for _, m := range s.missing {
		b.unknown("storage of %s: needs %s", of, m)
	}
}

func (b *biller) gigabytes(at place, component string, dim Dimension, index string, s stored) {
	if s.any {
		bytes := exactly(s.bytes)
		gb := bytes.DivRound(decimal.NewFromInt(GB), 18) // well under a cent for any table
		b.line(at, component, dim, index, "", amount{gb, bytes.known})
	}
	if len(s.missing) > 0 {
		b.line(at, component, dim, index, "", amount{})
	}
}

// baseBytes is the table's own storage.
func (b *biller) baseBytes() stored {
	overhead := float64(ItemOverhead)
	if b.replicated {
		overhead += ReplicatedOverhead
	}
	s := b.declared(func(e *table.Entity) (float64, bool, string) {
		if n, ok := table.ItemBytes(e); ok {
			return float64(n) + overhead, true, ""
		}
		return 0, false, fmt.Sprintf("item_size of %q", nameOf(e))
	})
	return measured(s, b.t.SizeBytes, b.t.ItemCount, overhead)
}

// indexBytes is the storage of an index's entries.
func (b *biller) indexBytes(ix *table.Index) stored {
	s := b.declared(func(e *table.Entity) (float64, bool, string) {
		switch in, why := table.MembershipOf(b.t, ix, e); in {
		case table.IsOut:
			return 0, true, ""
		case table.IsSometimes, table.IsUnclear:
			return 0, false, why
		}
		entry := table.EntrySpan(b.t, ix, e)
		if n, ok := entry.Units(func(bytes float64) float64 { return bytes }); ok {
			return n + ItemOverhead, true, ""
		}
		need := fmt.Sprintf("sizes of %s of %q", list(entry.Loose), nameOf(e))
		if count, ok := e.Count.Get(); ok {
			if _, item := table.ItemBytes(e); item {
				need += fmt.Sprintf(" (%s to %s GB)", number(count*(entry.Lo+ItemOverhead)/GB), number(count*(entry.Hi+ItemOverhead)/GB))
			}
		}
		return 0, false, need
	})
	return measured(s, ix.SizeBytes, ix.ItemCount, ItemOverhead)
}

// declared adds up count × bytes over the entities.
func (b *biller) declared(each func(*table.Entity) (bytes float64, known bool, need string)) (s stored) {
	for _, e := range b.t.Entities.Items {
		bytes, known, need := each(e)
		count, counted := e.Count.Get()
		switch {
		case known && bytes == 0:
			s.any = true
		case !known:
			s.missing = append(s.missing, need)
		case !counted:
			s.missing = append(s.missing, fmt.Sprintf("count of %q", nameOf(e)))
		default:
			s.any = true
			s.bytes += count * bytes
		}
	}
	if !b.t.Entities.Complete() {
		s.missing = append(s.missing, "entities: "+b.t.Entities.Incomplete)
	}
	if len(b.t.Entities.Items) == 0 {
		s.missing = append(s.missing, "items and their size")
	}
	return s
}

// measured takes the size that the table reports where the declarations are
// not whole. A size without a count of items is taken as the billed size.
func measured(s stored, size, count source.Value[int64], overhead float64) stored {
	bytes, ok := size.Get()
	if len(s.missing) == 0 || !ok {
		return s
	}
	items, _ := count.Get()
	return stored{bytes: float64(bytes) + float64(items)*overhead, any: true}
}

// pitr adds point-in-time recovery where it is on. A replica has a setting of
// its own; one that a design declares is as its table.
func (b *biller) pitr(at place, covered stored) {
	on := b.t.PITR
	if at.replica != nil && (!at.replica.PITR.Absent() || b.t.ResourceType != "design" && at.region != b.at[0].region) {
		on = at.replica.PITR
	}
	switch enabled, ok := on.Get(); {
	case ok && enabled:
		b.gigabytes(at, PITRComponent, PITR, "", covered)
		for _, m := range covered.missing {
			b.unknown("pitr: needs %s", m)
		}
	case on.Unresolved():
		b.unknown("pitr in %s: whether it is on is not known (%s)", at.region, on.Why)
	}
}
