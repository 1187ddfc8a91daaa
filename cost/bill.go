package cost

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Line is one component of a bill: quantity × unit price = monthly amount. An
// unknown quantity keeps its unit price and leaves Monthly unknown.
type Line struct {
	Component string // "writes", "reads", "storage", "pitr", "replicated writes", …
	Class     string
	Unit      string
	Quantity  decimal.Decimal // a month
	Known     bool            // whether Quantity is known
	UnitUSD   decimal.Decimal
	Monthly   Money
	Pattern   string
	Index     string
	Region    string
}

// Bill is the monthly bill of one table.
type Bill struct {
	Region  string
	Lines   []Line
	Total   Money    // of the known lines; unknown when no line is
	Unknown []string // what is not in Total and why
}

// The components of a bill.
const (
	Reads                   = "reads"
	Writes                  = "writes"
	ReplicatedWrites        = "replicated writes"
	ReadCapacity            = "read capacity"
	WriteCapacity           = "write capacity"
	ReplicatedWriteCapacity = "replicated write capacity"
	StorageComponent        = "storage"
	PITRComponent           = "pitr"
)

// BillOf is the monthly bill of a table for its declared workload: request
// units or capacity, storage of table and indexes, PITR and replicas. Prices
// are those of region; it is an error when the book does not hold it.
//
// Reads are priced in region, where the rates are taken to be; writes of a
// global table in every Region it is in. Streams, backups on demand and
// transfer are not in it, and no free tier is taken off: that is the payer's,
// not the table's.
func BillOf(t *table.Table, plans []plan.Result, book *Book, region string) (Bill, error) {
	return billOf(t, plans, book, region, month{HoursPerMonth, HoursPerMonth * 3600})
}

// month is the length of the billed month: in hours for capacity, in seconds
// for rates.
type month struct{ hours, seconds int64 }

func billOf(t *table.Table, plans []plan.Result, book *Book, region string, m month) (Bill, error) {
	switch {
	case book == nil:
		return Bill{}, errors.New("no price book")
	case region == "":
		return Bill{}, errors.New("no region, prices differ by Region")
	case !book.HasRegion(region):
		return Bill{}, fmt.Errorf("region %q is not in the price book of %s", region, book.Date)
	}
	b := biller{t: t, book: book, month: m, bill: Bill{Region: region}}
	b.places(region)
	for i := range plans {
		b.uses = append(b.uses, use{plans[i].Pattern, Consume(t, &plans[i])})
	}
	if len(b.at) > 0 {
		b.throughput()
		b.storage()
	}
	for _, v := range t.Vectors.Items {
		name, _ := v.Name.Get()
		b.unknown("vector index %q: searches, writes and storage are not priced", name)
	}
	for _, l := range b.bill.Lines {
		switch {
		case !l.Known:
		case b.bill.Total.Known():
			b.bill.Total = b.bill.Total.Add(l.Monthly)
		default:
			b.bill.Total = l.Monthly
		}
	}
	return b.bill, nil
}

type biller struct {
	t          *table.Table
	book       *Book
	month      month
	bill       Bill
	at         []place // the first is where the table is read
	replicated bool
	uses       []use
}

// use is a pattern with what one call of it consumes.
type use struct {
	pattern *table.Pattern
	Usage
}

func (u use) name() string {
	name, _ := u.pattern.Name.Get()
	return name
}

// place is a Region that the table is in, with its class and its own settings.
type place struct {
	region, class string
	replica       *table.Replica // nil: the settings are the table's own
}

// places lists the Regions of the table, the one that is read first.
func (b *biller) places(home string) {
	own, classKnown := ClassOf(b.t)
	whole := b.t.ResourceType == globalTable && len(b.t.Replicas.Items) > 0
	if !whole {
		b.place(home, own, classKnown, nil)
	}
	for i := range b.t.Replicas.Items {
		r := &b.t.Replicas.Items[i]
		region, ok := r.Region.Get()
		if !ok {
			b.replicated = true
			b.unknown("replica %d: its Region is not known", i+1)
			continue
		}
		class, known := own, classKnown
		if !r.Class.Absent() {
			class, known = r.Class.Get()
		}
		b.place(region, class, known, r)
	}
	if !b.t.Replicas.Complete() {
		b.unknown("replicas: %s", b.t.Replicas.Incomplete)
	}
	b.replicated = b.replicated || len(b.at) > 1
	if i := slices.IndexFunc(b.at, func(p place) bool { return p.region == home }); i > 0 {
		b.at[0], b.at[i] = b.at[i], b.at[0]
	} else if i < 0 && classKnown {
		b.unknown("%s: the table has no replica there", home)
	}
}

// globalTable is the resource whose replicas are every Region it is in.
const globalTable = "AWS::DynamoDB::GlobalTable"

func (b *biller) place(region, class string, classKnown bool, r *table.Replica) {
	i := slices.IndexFunc(b.at, func(p place) bool { return p.region == region })
	switch {
	case i >= 0:
		b.at[i].replica = r
		if classKnown {
			b.at[i].class = class
		}
	case !classKnown:
		b.replicated = b.replicated || r != nil
		b.unknown("table class in %s: not known, so no price is", region)
	case !b.book.HasRegion(region):
		b.replicated = true
		b.unknown("replica in %s: the Region is not in the price book of %s", region, b.book.Date)
	default:
		b.at = append(b.at, place{region, class, r})
	}
}

func (b *biller) unknown(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(b.bill.Unknown, s) {
		b.bill.Unknown = append(b.bill.Unknown, s)
	}
}

// amount is a quantity a month that may be unknown.
type amount struct {
	decimal.Decimal
	known bool
}

// exactly is the amount of a float, unknown where it is not a finite number.
func exactly(f float64) amount {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return amount{}
	}
	return amount{decimal.NewFromFloat(f), true}
}

// times is the product, unknown when a factor is.
func (a amount) times(o amount) amount {
	return amount{a.Mul(o.Decimal), a.known && o.known}
}

// line adds a line. A dimension without a price in the book is named instead.
func (b *biller) line(at place, component string, dim Dimension, index, pattern string, a amount) {
	p, ok := b.book.Price(at.region, at.class, dim)
	if !ok {
		b.unknown("%s in %s: the price book of %s has no price of %s", component, at.region, b.book.Date, dim)
		return
	}
	l := NewLine(p, component, a.Decimal)
	l.Region, l.Class, l.Index, l.Pattern = at.region, at.class, index, pattern
	if !a.known {
		l.Known, l.Quantity, l.Monthly = false, decimal.Zero, Money{}
	}
	b.bill.Lines = append(b.bill.Lines, l)
}

// NewLine is a line of a known quantity at a price.
func NewLine(p Price, component string, quantity decimal.Decimal) Line {
	return Line{
		Component: component, Class: p.Class, Unit: p.Unit, Region: p.Region,
		Quantity: quantity, Known: true, UnitUSD: p.Amount, Monthly: USD(quantity.Mul(p.Amount)),
	}
}

// throughput adds what reads and writes cost in the table's billing mode.
func (b *biller) throughput() {
	for _, l := range []source.List[*table.Index]{b.t.GSIs, b.t.LSIs} {
		if !l.Complete() {
			b.unknown("indexes: %s", l.Incomplete)
		}
	}
	switch mode, ok := b.t.Billing.Get(); {
	case ok && mode == table.PayPerRequest:
		b.requests()
	case ok && mode == table.Provisioned:
		b.capacity()
	case b.t.Billing.Why != "":
		b.unknown("reads and writes: the billing mode is not known (%s)", b.t.Billing.Why)
	default:
		b.unknown("reads and writes: the billing mode is not known")
	}
}
