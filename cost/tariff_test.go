package cost

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

func defaultBook(t testing.TB) *Book {
	t.Helper()
	b, err := DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func priceIn(t testing.TB, region, class string, dim Dimension) decimal.Decimal {
	t.Helper()
	p, ok := defaultBook(t).Price(region, class, dim)
	if !ok {
		t.Fatalf("no price of %s %s %s", region, class, dim)
	}
	return p.Amount
}

// Section 5 of the vectors: OD against provisioned, today and by the prices
// until 2024-10-31.
func TestSection5BreakEven(t *testing.T) {
	old, err := ReadBook(strings.NewReader(priceHeader + `
us-east-1,STANDARD,on_demand_rru,request_unit,0.00000025,P-OLD,2024-10-31
us-east-1,STANDARD,on_demand_wru,request_unit,0.00000125,P-OLD,2024-10-31
us-east-1,STANDARD,provisioned_rcu,unit_hour,0.00013,P-OLD,2024-10-31
us-east-1,STANDARD,provisioned_wcu,unit_hour,0.00065,P-OLD,2024-10-31
us-east-1,STANDARD,storage,gb_month,0.25,P-OLD,2024-10-31
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		book *Book
		want string
	}{{defaultBook(t), "28.89"}, {old, "14.44"}} {
		for _, dir := range []Direction{ReadSide, WriteSide} {
			got, err := BreakEven(c.book, "us-east-1", "STANDARD", dir)
			if err != nil {
				t.Fatal(err)
			}
			if s := fmt.Sprintf("%.2f", 100*got); s != c.want {
				t.Errorf("%s %s: break-even %s %%, expected %s %%", c.book.Date, dir, s, c.want)
			}
		}
	}
	if _, err := BreakEven(old, "eu-west-1", "STANDARD", ReadSide); err == nil {
		t.Error("break-even of a region the book does not hold: no error")
	}
}

// Facts 7: the break-even is 28.8 to 29.2 % in every Region.
func TestBreakEvenEveryRegion(t *testing.T) {
	book := defaultBook(t)
	for _, region := range book.Regions() {
		for _, dir := range []Direction{ReadSide, WriteSide} {
			got, err := BreakEven(book, region, "STANDARD", dir)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-0.29) > 0.0025 {
				t.Errorf("%s %s: break-even %.4f, expected 0.288 to 0.292", region, dir, got)
			}
		}
	}
}
