package cost

import (
	"os"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

func mustBook(t interface {
	Helper()
	Fatal(...any)
},
) *Book {
	t.Helper()
	b, err := DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ratio is the price of one dimension over another's.
func ratio(t *testing.T, b *Book, region, class string, dim Dimension, of string, ofDim Dimension) decimal.Decimal {
	t.Helper()
	p, ok := b.Price(region, class, dim)
	q, ofOK := b.Price(region, of, ofDim)
	if !ok || !ofOK {
		t.Fatalf("%s: no price of %s %s or %s %s", region, class, dim, of, ofDim)
	}
	return p.Amount.DivRound(q.Amount, 12)
}

func between(d decimal.Decimal, lo, hi string) bool {
	return d.GreaterThanOrEqual(decimal.RequireFromString(lo)) && d.LessThanOrEqual(decimal.RequireFromString(hi))
}

const ia = "STANDARD_INFREQUENT_ACCESS"

// The regularities of facts section 7 hold in every Region of the book, with
// the two published exceptions.
func TestBookRegularities(t *testing.T) {
	b := mustBook(t)
	regions := b.Regions()
	if len(regions) != 36 {
		t.Fatalf("%d Regions, want 36", len(regions))
	}
	if b.Date != "2025-08-28" {
		t.Errorf("date %q, want that of the list of throughput prices, 2025-08-28", b.Date)
	}
	one := decimal.NewFromInt(1)
	for _, r := range regions {
		for _, class := range []string{"STANDARD", ia} {
			for _, pair := range [][2]Dimension{{OnDemandReplicatedWrite, OnDemandWrite}, {ProvisionedReplicated, ProvisionedWrite}} {
				if got := ratio(t, b, r, class, pair[0], class, pair[1]); !got.Equal(one) {
					t.Errorf("%s %s: %s is %v of %s, want 1", r, class, pair[0], got, pair[1])
				}
			}
		}
		if got := ratio(t, b, r, ia, Storage, "STANDARD", Storage); !between(got, "0.399", "0.401") {
			t.Errorf("%s: IA storage is %v of standard, want 0.40", r, got)
		}
		if got := ratio(t, b, r, "STANDARD", ProvisionedWrite, "STANDARD", ProvisionedRead); !between(got, "4.97", "5.03") {
			t.Errorf("%s: WCU is %v of RCU, want 5", r, got)
		}
		for _, dim := range []Dimension{OnDemandRead, OnDemandWrite} {
			lo, hi := "1.231", "1.2585"
			if r == "il-central-1" && dim == OnDemandRead {
				lo, hi = "1.04", "1.042"
			}
			if got := ratio(t, b, r, ia, dim, "STANDARD", dim); !between(got, lo, hi) {
				t.Errorf("%s: IA %s is %v of standard, want %s to %s", r, dim, got, lo, hi)
			}
		}
		for dim, hourly := range map[Dimension]Dimension{OnDemandRead: ProvisionedRead, OnDemandWrite: ProvisionedWrite} {
			even := ratio(t, b, r, "STANDARD", hourly, "STANDARD", dim).Div(decimal.NewFromInt(3600))
			if !between(even, "0.2875", "0.2925") {
				t.Errorf("%s: break-even of %s at %v, want 28.8 %% to 29.2 %%", r, dim, even)
			}
		}
	}
}

// The anomalies that a flat percentage would miss.
func TestBookAnomalies(t *testing.T) {
	b := mustBook(t)
	for _, c := range []struct {
		region, class string
		dim           Dimension
		want          string
	}{
		{"af-south-1", ia, ProvisionedWrite, "0.0009647"},
		{"af-south-1", "STANDARD", ProvisionedWrite, "0.00087465"},
		{"il-central-1", ia, OnDemandRead, "0.000000177"},
		{"il-central-1", "STANDARD", OnDemandRead, "0.00000017"},
		{"eu-west-1", "STANDARD", ProvisionedWrite, "0.000735"},
		{"us-east-1", ia, PITR, "0.2"},
	} {
		p, ok := b.Price(c.region, c.class, c.dim)
		if !ok || !p.Amount.Equal(decimal.RequireFromString(c.want)) {
			t.Errorf("%s %s %s: %v, want %s", c.region, c.class, c.dim, p.Amount, c.want)
		}
		if p.Date == "" || p.Source == "" || p.Unit == "" {
			t.Errorf("%s %s %s: price without date, source or unit: %+v", c.region, c.class, c.dim, p)
		}
	}
}

// What is not sold, or free, has no price; it is not $0.
func TestBookGaps(t *testing.T) {
	b := mustBook(t)
	for _, c := range []struct {
		region string
		dim    Dimension
	}{
		{"il-central-1", StreamsRead},
		{"me-central-1", KinesisCDC},
		{"ca-west-1", ExportIncremental},
		{"us-east-1", "free_tier_provisioned_wcu"},
		{"us-east-1", "free_tier_streams_read"},
		{"moon-1", Storage},
	} {
		if p, ok := b.Price(c.region, "STANDARD", c.dim); ok {
			t.Errorf("%s %s: priced at %v, want no price", c.region, c.dim, p.Amount)
		}
	}
}

const row = "us-east-1,STANDARD,on_demand_wru,request_unit,0.000000625,list,2025-08-28\n"

// O10 and O9: a free tier's row before the paid one does not hide it, and rows
// of products that nobody knows change nothing.
func TestReadBookO9O10(t *testing.T) {
	b, err := ReadBook(strings.NewReader(priceHeader + "\n" +
		"us-east-1,STANDARD,on_demand_wru,unit_of_free_tier,0.0000,free tier,2026-10-01\n" +
		"us-east-1,ANY,vector_write,gb,0.52,other list,2026-08-20\n" +
		"us-east-1,ANY,vector_write,gb,0.50,other list,2026-08-20\n" +
		"us-east-1,STANDARD,dsp_1yr_on_demand_wru,request_unit,0.0000005125,savings plans,2026-04-22\n" +
		row +
		"us-east-1,STANDARD,on_demand_wru,request_unit,0,free tier,2026-10-01\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := RequestPrice(b, "us-east-1", "STANDARD", WriteRequest); !ok || p.Amount.String() != "0.000000625" || p.Source != "list" {
		t.Errorf("write price %+v, want the paid row's", p)
	}
	if b.Date != "2025-08-28" {
		t.Errorf("date %q, want that of the throughput list", b.Date)
	}
	if p, ok := b.Price("us-east-1", "STANDARD", "dsp_1yr_on_demand_wru"); !ok || p.Date != "2026-04-22" {
		t.Errorf("savings plan %+v, want it kept with its own date", p)
	}
}

func TestReadBookErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "price book: 1: no text, expected the header",
		"region,price\n":                         `price book: 1: header is "region,price", expected "region,table_class`,
		priceHeader:                              "no price of throughput or storage",
		priceHeader + "\na,b":                    "price book: 2: wrong number of fields, expected region,table_class",
		priceHeader + "\n\"":                     "price book: 2:",
		full("0.625", "cheap"):                   `price book: 3: price is "cheap", expected a decimal number of dollars`,
		full("0.625", "-1"):                      `price is "-1"`,
		full("0.625", "1e400"):                   `price is "1e400"`,
		full("0.625", "1e-99999999999999999999"): `expected a decimal number`,
		full("0.625", strings.Repeat("9", 50)):   `expected a decimal number`,
		full("request_unit", "million_request_units"):            `price book: 3: unit of on_demand_wru is "million_request_units", expected "request_unit"`,
		full("STANDARD", "standard"):                             `table class is "standard", expected STANDARD, STANDARD_INFREQUENT_ACCESS or ANY`,
		full("us-east-1", ""):                                    `region is "", expected a Region`,
		full("on_demand_wru", ""):                                `dimension is empty`,
		full("2025-08-28", "28.8.2025"):                          `date is "28.8.2025", expected a date`,
		priceHeader + "\n" + row + row:                           "price book: 3: second price of on_demand_wru for STANDARD in us-east-1",
		priceHeader + "\n\"us-\neast-1\",x,y,z,0,s,2025-08-28\n": `price book: 2: table class is "x"`,
	} {
		if _, err := ReadBook(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.120q:\n error %v\n  want %q", text, err, want)
		}
	}
	if _, err := ReadBook(strings.NewReader("\ufeff" + priceHeader + "\r\n" + strings.ReplaceAll(row, "\n", "\r\n"))); err != nil {
		t.Errorf("a spreadsheet's file: %v, want it read", err)
	}
}

// full is a book whose second row has a part replaced. "0.625" stands for the
// whole price of the row.
func full(old, with string) string {
	if old == "0.625" {
		old = "0.000000625"
	}
	return priceHeader + "\n" + strings.Replace(row, "us-east-1", "us-east-2", 1) + strings.Replace(row, old, with, 1)
}

func FuzzReadBook(f *testing.F) {
	if data, err := os.ReadFile("prices/2025-08-28.csv"); err == nil {
		f.Add(string(data[:4000]))
	}
	f.Add(priceHeader + "\n" + row)
	f.Add(full("0.625", "1e9"))
	f.Add(priceHeader + "\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBook(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "price book: ") {
				t.Fatalf("error %q does not say what it is about", err)
			}
			return
		}
		for _, r := range b.Regions() {
			if p, ok := b.Price(r, "STANDARD", Storage); !ok || !p.Amount.IsPositive() {
				t.Fatalf("Region %q without a storage price", r)
			}
		}
		for _, p := range b.prices {
			_ = USD(p.Amount.Mul(decimal.NewFromInt(1e9))).String()
		}
	})
}

// Dollars print rounded half up to the cent, and small amounts with two digits.
func TestDollars(t *testing.T) {
	for in, want := range map[string]string{
		"0": "$0.00", "1234.565": "$1,234.57", "1234567.894": "$1,234,567.89", "-5.005": "-$5.01", "999.995": "$1,000.00",
		"0.00123": "$0.0012", "0.0098765": "$0.0099", "0.000000625": "$0.00000063", "0.009999": "$0.01", "-0.0000001": "-$0.0000001",
		"0.01": "$0.01", "100": "$100.00", "8.235": "$8.24", "24.705": "$24.71",
	} {
		if got := USD(decimal.RequireFromString(in)).String(); got != want {
			t.Errorf("%s prints %q, want %q", in, got, want)
		}
	}
	if got := (Money{}).String(); got != "unknown" {
		t.Errorf("unknown money prints %q", got)
	}
}
