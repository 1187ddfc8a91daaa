package cost

import (
	"fmt"

	"github.com/shopspring/decimal"
)

var (
	secondsPerMonth = decimal.NewFromInt(HoursPerMonth * 3600)
	hoursPerMonth   = decimal.NewFromInt(HoursPerMonth)
)

// tariff is the prices one Region and class ask for what a mode decision
// compares: request units each, capacity an hour, storage a GB-month.
type tariff struct {
	class                      string
	requestRead, requestWrite  decimal.Decimal
	capacityRead, capacityWrit decimal.Decimal
	storage                    decimal.Decimal
}

func tariffOf(book *Book, region, class string) (tariff, error) {
	t := tariff{class: class}
	for _, p := range []struct {
		dim Dimension
		to  *decimal.Decimal
	}{
		{OnDemandRead, &t.requestRead},
		{OnDemandWrite, &t.requestWrite},
		{ProvisionedRead, &t.capacityRead},
		{ProvisionedWrite, &t.capacityWrit},
		{Storage, &t.storage},
	} {
		price, ok := book.Price(region, class, p.dim)
		if !ok {
			return t, fmt.Errorf("price book of %s has no %s price of class %s in region %q", book.Date, p.dim, class, region)
		}
		*p.to = price.Amount
	}
	return t, nil
}

func (t tariff) request(dir Direction) decimal.Decimal {
	if dir == ReadSide {
		return t.requestRead
	}
	return t.requestWrite
}

func (t tariff) capacity(dir Direction) decimal.Decimal {
	if dir == ReadSide {
		return t.capacityRead
	}
	return t.capacityWrit
}

// monthlyRequests is a month of units a second on demand.
func monthlyRequests(units float64, each decimal.Decimal) Money {
	return USD(decimal.NewFromFloat(units).Mul(secondsPerMonth).Mul(each))
}

// monthlyCapacity is a month of a mean capacity.
func monthlyCapacity(units float64, hour decimal.Decimal) Money {
	return USD(decimal.NewFromFloat(units).Mul(hoursPerMonth).Mul(hour))
}

// monthlyStorage is a month of stored bytes.
func monthlyStorage(bytes int64, gb decimal.Decimal) Money {
	return USD(decimal.NewFromInt(bytes).DivRound(decimal.NewFromInt(GB), 16).Mul(gb))
}

// BreakEven is the average utilisation, 0 to 1, of provisioned capacity below
// which on-demand requests are cheaper in a Region and class.
func BreakEven(book *Book, region, class string, dir Direction) (float64, error) {
	t, err := tariffOf(book, region, class)
	if err != nil {
		return 0, err
	}
	return t.capacity(dir).Div(t.request(dir).Mul(decimal.NewFromInt(3600))).InexactFloat64(), nil
}
