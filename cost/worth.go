package cost

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// RequestKind is a kind of on-demand request unit.
type RequestKind string

// The kinds of request unit.
const (
	ReadRequest            RequestKind = "read"
	WriteRequest           RequestKind = "write"
	ReplicatedWriteRequest RequestKind = "replicated write" // a write to a global table, in each of its Regions
)

// RequestPrice is the price of one request unit, and whether the book has it.
func RequestPrice(book *Book, region, class string, kind RequestKind) (Price, bool) {
	switch kind {
	case ReadRequest:
		return book.Price(region, class, OnDemandRead)
	case WriteRequest:
		return book.Price(region, class, OnDemandWrite)
	case ReplicatedWriteRequest:
		return book.Price(region, class, OnDemandReplicatedWrite)
	}
	return Price{}, false
}

// MonthlyRequests is what request units at a steady rate cost a month on
// demand; unknown where the book has no price for the Region.
func MonthlyRequests(book *Book, region, class string, readPerSecond, writePerSecond float64) Money {
	const seconds = HoursPerMonth * 3600
	return worth(book, region, class, OnDemandRead, readPerSecond, seconds).
		Add(worth(book, region, class, OnDemandWrite, writePerSecond, seconds))
}

// MonthlyCapacity is what provisioned capacity costs a month.
func MonthlyCapacity(book *Book, region, class string, rcu, wcu float64) Money {
	return worth(book, region, class, ProvisionedRead, rcu, HoursPerMonth).
		Add(worth(book, region, class, ProvisionedWrite, wcu, HoursPerMonth))
}

// MonthlyStorage is what stored bytes cost a month, overhead included in them.
func MonthlyStorage(book *Book, region, class string, bytes float64) Money {
	return worth(book, region, class, Storage, bytes/GB, 1)
}

// MonthlyThroughput is what units a second on a table, or on a GSI of it, are
// worth a month in its billing mode and class and one Region: request units on
// demand, else the capacity that serves them without headroom. It is unknown
// where mode, class or price is.
func MonthlyThroughput(t *table.Table, book *Book, region string, readPerSecond, writePerSecond float64) Money {
	class, ok := ClassOf(t)
	switch {
	case !ok:
	case source.Is(t.Billing, table.PayPerRequest):
		return MonthlyRequests(book, region, class, readPerSecond, writePerSecond)
	case source.Is(t.Billing, table.Provisioned):
		return MonthlyCapacity(book, region, class, readPerSecond, writePerSecond)
	}
	return Money{}
}

// ClassOf is the table's class, which DynamoDB takes for standard when none is
// stated, and whether it is known.
func ClassOf(t *table.Table) (class string, known bool) {
	if t.Class.Absent() {
		return table.Standard, true
	}
	return t.Class.Get()
}

func worth(book *Book, region, class string, dim Dimension, quantity float64, times int64) Money {
	p, ok := book.Price(region, class, dim)
	q := exactly(quantity).times(whole(times))
	if !ok || !q.known {
		return Money{}
	}
	return USD(q.Mul(p.Amount))
}
