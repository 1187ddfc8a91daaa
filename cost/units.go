package cost

import "math"

// The bytes that a request unit covers and that one page of a Query or Scan
// evaluates at most. Source: developer guide, "DynamoDB read and write
// operations" and "Constraints in DynamoDB".
const (
	ReadUnitBytes  = 4 * 1024
	WriteUnitBytes = 1024
	PageBytes      = 1024 * 1024
)

// Consistency is how a read is made; it scales the units of a read.
type Consistency uint8

// The consistencies: half, one and two units for 4 KB.
const (
	Eventual Consistency = iota
	Strong
	Transactional
)

// String is the consistency's name for people.
func (c Consistency) String() string {
	return [...]string{"eventual", "strong", "transactional"}[c]
}

func (c Consistency) factor() float64 { return [...]float64{0.5, 1, 2}[c] }

// steps is how many steps of the size are begun: one at least, as an empty or
// failed request is billed as the smallest.
func steps(bytes, size float64) float64 { return max(1, math.Ceil(bytes/size)) }

// ReadUnits is the request units of reading one item, or one page's items
// together, of the given bytes. A missing item is 0 bytes and costs the least
// unit.
func ReadUnits(bytes float64, c Consistency) float64 {
	return steps(bytes, ReadUnitBytes) * c.factor()
}

// BatchReadUnits is the units of BatchGetItem or TransactGetItems: every item
// is rounded up by itself and then added.
func BatchReadUnits(sizes []float64, c Consistency) float64 {
	total := 0.0
	for _, b := range sizes {
		total += ReadUnits(b, c)
	}
	return total
}

// PageUnits is the units of one Query or Scan that evaluates items of the
// given number and mean size, over as many pages as that takes. Sizes are added
// and rounded up once a page; a page is up to 1 MB of whole items. Filters,
// projections and counting do not lower it. Where only the bytes are known,
// ReadUnits of all of them is the units of full pages.
func PageUnits(items, itemBytes float64, c Consistency) float64 {
	perPage := max(1, math.Floor(PageBytes/itemBytes))
	if items <= perPage || itemBytes <= 0 {
		return ReadUnits(items*itemBytes, c)
	}
	full := math.Floor(items / perPage)
	units := full * ReadUnits(perPage*itemBytes, c)
	if rest := items - full*perPage; rest > 0 {
		units += ReadUnits(rest*itemBytes, c)
	}
	return units
}

// FetchUnits is the units of a Query on an LSI that brings attributes the
// index lacks: the index pages, and each whole item from the table rounded up
// by itself.
func FetchUnits(items, entryBytes, itemBytes float64, c Consistency) float64 {
	return PageUnits(items, entryBytes, c) + items*ReadUnits(itemBytes, c)
}

// WriteUnits is the units of PutItem, UpdateItem or DeleteItem on the table:
// the larger of the item before and after, all of it even when one attribute
// changes. An item that is not there is 0 bytes; deleting one costs a unit.
func WriteUnits(before, after float64) float64 {
	return steps(max(before, after), WriteUnitBytes)
}

// BatchWriteUnits is the units of BatchWriteItem: every item rounded up by
// itself and then added.
func BatchWriteUnits(sizes []float64) float64 {
	total := 0.0
	for _, b := range sizes {
		total += WriteUnits(0, b)
	}
	return total
}

// TransactWriteUnits is the units that one item of TransactWriteItems costs on
// the table, committed or cancelled; a condition check is a write of the item it
// reads. Index entries are not doubled: see IndexWriteUnits.
func TransactWriteUnits(before, after float64) float64 {
	return 2 * WriteUnits(before, after)
}

// FailedConditionUnits is the units of a write whose condition is false.
// Sources disagree whether the existing or the new item counts, so it is the
// larger of the two.
func FailedConditionUnits(existing, attempted float64) float64 {
	return WriteUnits(existing, attempted)
}

// EntryChange is what a write does to an item's entry in an index.
type EntryChange uint8

// The changes, as in the guide's rules for global secondary index writes.
const (
	EntryUntouched EntryChange = iota // not in the index before and after, or nothing projected differs
	EntryAdded                        // the item gains all the index's key attributes
	EntryRemoved                      // it loses one of them, or is deleted
	EntryChanged                      // a projected attribute differs, the index's key does not
	EntryMoved                        // the index's key differs: the old entry is deleted, a new one put
)

// IndexWriteUnits is the units a write costs on one index, given the entry's
// bytes before and after. It is the same inside a transaction, for GSIs and for
// LSIs, whose units are charged to the table.
func IndexWriteUnits(before, after float64, change EntryChange) float64 {
	switch change {
	case EntryAdded:
		return WriteUnits(0, after)
	case EntryRemoved:
		return WriteUnits(before, 0)
	case EntryChanged:
		return WriteUnits(before, after)
	case EntryMoved:
		return WriteUnits(before, 0) + WriteUnits(0, after)
	}
	return 0
}

// ReadThroughput is the bytes a second that read capacity sustains.
func ReadThroughput(units float64, c Consistency) float64 {
	return units / c.factor() * ReadUnitBytes
}

// WriteThroughput is the bytes a second that write capacity sustains.
func WriteThroughput(units float64, transactional bool) float64 {
	if transactional {
		units /= 2
	}
	return units * WriteUnitBytes
}

// The units a second that a new on-demand table serves at once. Source:
// developer guide, "DynamoDB on-demand capacity mode", initial throughput.
const (
	OnDemandStartRead  = 12_000
	OnDemandStartWrite = 4_000
)

// OnDemandStart is the least units a second that a table serves when it is
// switched to on-demand, given the most it was provisioned for.
func OnDemandStart(read, write int64) (int64, int64) {
	return max(read, OnDemandStartRead), max(write, OnDemandStartWrite)
}
