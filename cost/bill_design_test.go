package cost_test

import (
	"os"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// designed reads the tables of a design file.
func designed(t *testing.T, path string) []*table.Table {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	res := load.Design(source.NewFile(path, data))
	for _, d := range res.Errors {
		t.Error(d)
	}
	return res.Tables
}

// M1 to M11: the bill of a whole design, from file through planner to money.
// A pattern's lines carry its id; the month has 2,635,200 seconds.
func TestBillOfDesignM1toM11(t *testing.T) {
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]cost.Money{}
	gigabytes := map[string]string{}
	add := func(key string, m cost.Money) {
		if old, ok := sums[key]; ok {
			m = old.Add(m)
		}
		sums[key] = m
	}
	for _, tb := range designed(t, "../fixtures/cost/three-tables/design.ddb.toml") {
		b, err := cost.BillIn(tb, plan.Table(tb), book, "us-east-1", 732, 2_635_200)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Unknown) > 0 {
			t.Errorf("%s: unknown %q", tb.DisplayName(), b.Unknown)
		}
		add("M11 all", b.Total)
		for _, l := range b.Lines {
			id, _, _ := strings.Cut(l.Pattern, " ")
			if l.Component == cost.StorageComponent {
				add("storage", l.Monthly)
				add("M2 "+tb.DisplayName()+l.Index, l.Monthly)
				gigabytes[tb.DisplayName()+l.Index] = l.Quantity.StringFixed(2)
				continue
			}
			add("requests", l.Monthly)
			add(strings.TrimSuffix(id+" "+l.Component+" "+l.Index, " "), l.Monthly)
		}
	}
	for key, want := range map[string]string{
		"M2 Users": "$3.49", "M2 UsersbyEmail": "$2.33", "M2 Orders": "$27.94", "M2 OrdersbyStatus": "$11.64",
		"M2 OrdersbyDate": "$13.97", "M2 Sessions": "$0.93", "storage": "$60.30",
		"M3 reads": "$16.47", "M4 reads byEmail": "$8.24", "M5 writes": "$32.94", "M5 writes byEmail": "$32.94",
		"M6 reads": "$26.35", "M7 reads byStatus": "$9.88",
		"M8 writes": "$65.88", "M8 writes byStatus": "$65.88", "M8 writes byDate": "$65.88",
		"M9 writes": "$49.41", "M9 writes byDate": "$49.41",
		"M10 reads": "$24.71", "M10 writes": "$329.40",
		"requests": "$777.38", "M11 all": "$837.69",
	} {
		if got := sums[key].String(); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
		delete(sums, key)
	}
	for key, m := range sums {
		t.Errorf("%s: %s, want no such line", key, m)
	}
	for key, want := range map[string]string{
		"Users": "13.97", "UsersbyEmail": "9.31", "Orders": "111.76", "OrdersbyStatus": "46.57", "OrdersbyDate": "55.88", "Sessions": "3.73",
	} {
		if gigabytes[key] != want {
			t.Errorf("M1 %s: %s GB, want %s", key, gigabytes[key], want)
		}
	}
	// M11 at 730 hours: requests by the ratio of the months.
	rw := decimal.RequireFromString("777.384").Mul(decimal.NewFromInt(2_628_000)).Div(decimal.NewFromInt(2_635_200))
	var total decimal.Decimal
	for _, tb := range designed(t, "../fixtures/cost/three-tables/design.ddb.toml") {
		b, err := cost.BillOf(tb, plan.Table(tb), book, "us-east-1")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Lines {
			if amount, _ := l.Monthly.Get(); l.Component != cost.StorageComponent {
				total = total.Add(amount)
			}
		}
	}
	if !total.Equal(rw) {
		t.Errorf("M11 at 730 h: %s, want %s", total, rw)
	}
}
