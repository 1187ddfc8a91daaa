package cost

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func global(t *table.Table, regions ...string) *table.Table {
	for _, r := range regions {
		t.Replicas.Items = append(t.Replicas.Items, table.Replica{Region: val(r)})
	}
	return t
}

// O35: a global table in three Regions, 100 million writes that touch a GSI.
// All three Regions have the prices of us-east-1.
func TestBillO35(t *testing.T) {
	tb, plans := rated(0, 100e6, index(table.GSI, "g", "ALL", keyOf("a")))
	for _, e := range tb.Entities.Items {
		e.Attributes = append(e.Attributes, attr("a", "S", 1))
	}
	global(tb, "us-east-2", "us-west-2")
	b := mustBill(t, tb, "us-east-1", million, plans[1])
	replicated, ordinary := total(b, component(ReplicatedWrites)), total(b, component(Writes))
	if replicated != "$187.50" || ordinary != "$187.50" {
		t.Errorf("O35: %s replicated and %s on the GSI, want $187.50 each", replicated, ordinary)
	}
	if n := len(slices.DeleteFunc(slices.Clone(b.Lines), func(l Line) bool { return l.Component != StorageComponent || l.Index != "" })); n != 3 {
		t.Errorf("O35: storage in %d Regions, want 3", n)
	}

	pt := global(provisioned(10, 500), "us-east-2", "us-west-2")
	b = mustBill(t, pt, "us-east-1", standardMonth)
	for _, region := range []string{"us-east-1", "us-east-2", "us-west-2"} {
		if got := total(b, func(l Line) bool { return l.Region == region && l.Component == ReplicatedWriteCapacity }); got != "$237.25" {
			t.Errorf("O35 provisioned: %s in %s, want $237.25", got, region)
		}
	}
	if got := total(b, component(ReadCapacity)); got != "$2.85" {
		t.Errorf("O35 provisioned: reads %s, want 3 × 10 RCU = $2.85", got)
	}
}

// facts9.8: the three days of the guide's example of a global table.
func TestBillFacts9_8(t *testing.T) {
	day := func(writes float64, gsis int, regions ...string) (ordinary, replicated float64) {
		var indexes []*table.Index
		for range gsis {
			indexes = append(indexes, index(table.GSI, "g", "ALL", keyOf("a")))
		}
		tb := global(onDemand(indexes, entity("W", 1, 1024)), regions...)
		for _, l := range mustBill(t, tb, "us-east-1", month{0, 1}, served(tb, table.PutItem, "W", writes)).Lines {
			switch l.Component {
			case Writes:
				ordinary += l.Quantity.InexactFloat64()
			case ReplicatedWrites:
				replicated += l.Quantity.InexactFloat64()
			}
		}
		return ordinary, replicated
	}
	var ordinary, replicated float64
	for i, f := range []func() (float64, float64){
		func() (float64, float64) { return day(100, 0) },
		func() (float64, float64) { return day(150, 0, "us-west-2") },
		func() (float64, float64) { return day(200, 1, "us-west-2") },
	} {
		o, r := f()
		if want := [][2]float64{{100, 0}, {0, 300}, {400, 400}}[i]; o != want[0] || r != want[1] {
			t.Errorf("day %d: %v WRU and %v rWRU, want %v", i+1, o, r, want)
		}
		ordinary, replicated = ordinary+o, replicated+r
	}
	if ordinary != 500 || replicated != 700 {
		t.Errorf("total %v WRU and %v rWRU, want 500 and 700", ordinary, replicated)
	}
}

// O38: no usage is not $0. The unit prices stay, the lines are not summed.
func TestBillO38(t *testing.T) {
	b := mustBill(t, onDemand([]*table.Index{index(table.GSI, "g", "ALL", keyOf("a"))}), "us-east-1", standardMonth)
	if b.Total.Known() {
		t.Errorf("total %s, want unknown", b.Total)
	}
	for _, l := range b.Lines {
		checkLine(t, "O38", b, l.Component, l.Index, false)
		if want := map[string]string{Writes: "0.000000625", Reads: "0.000000125", StorageComponent: "0.25"}[l.Component]; l.UnitUSD.String() != want {
			t.Errorf("O38 %s: unit price %s, want %s", l.Component, l.UnitUSD, want)
		}
	}
	if len(b.Lines) != 6 {
		t.Errorf("O38: %d lines, want reads, writes and storage of table and index: %+v", len(b.Lines), b.Lines)
	}
	checkSays(t, b, "writes of the table: no access pattern is declared")
	checkSays(t, b, "storage of table: needs items and their size")

	// A pattern without a rate, and one whose units are not known on one index.
	tb := onDemand([]*table.Index{index(table.GSI, "g", "KEYS_ONLY", keyOf("a"))}, entity("E", 1e6, 2048))
	b = mustBill(t, tb, "us-east-1", standardMonth, served(tb, table.PutItem, "E", 1), served(tb, table.GetItem, "E", -1))
	checkLine(t, "known arm of a put", b, Writes, "", true)
	checkLine(t, "unknown arm of a put", b, Writes, "g", false)
	checkLine(t, "no rate", b, Reads, "", false)
	checkSays(t, b, `"GetItem": no rate is declared`)
	checkSays(t, b, `"PutItem": needs size of entries of "g" (a, id)`)
	checkSays(t, b, `storage of index "g": needs sizes of a, id of "E"`)
}

func TestBillUnknownSettings(t *testing.T) {
	tb := provisioned(10, 10)
	tb.Billing = source.Unresolved[string]("!Ref Mode", source.Span{})
	sized(1)(tb)
	b := mustBill(t, tb, "us-east-1", standardMonth)
	checkSays(t, b, "reads and writes: the billing mode is not known (!Ref Mode)")
	if got := b.Total.String(); got != "$0.25" {
		t.Errorf("no billing mode: %s, want the storage's $0.25", got)
	}

	tb = provisioned(10, 10)
	tb.Class = source.Unresolved[string]("!Ref Class", source.Span{})
	b = mustBill(t, tb, "us-east-1", standardMonth)
	checkSays(t, b, "table class in us-east-1: not known")
	if b.Total.Known() || len(b.Lines) > 0 {
		t.Errorf("no class: %+v, want no lines", b)
	}

	tb = global(provisioned(10, 10), "moon-1")
	tb.PITR = source.Unresolved[bool]("var.pitr", source.Span{})
	tb.Capacity.Read = source.Unresolved[int64]("var.rcu", source.Span{})
	tb.Scaling.Write = source.Unresolved[table.ScalingTarget]("another stack", source.Span{})
	tb.GSIs.Incomplete = "dynamic block"
	b = mustBill(t, tb, "us-east-1", standardMonth)
	for _, want := range []string{
		"replica in moon-1: the Region is not in the price book", "pitr in us-east-1: whether it is on is not known (var.pitr)",
		"capacity for reads of the table in us-east-1: not stated", "auto scaling is not known", "indexes: dynamic block",
	} {
		checkSays(t, b, want)
	}
	checkLine(t, "unknown capacity", b, ReadCapacity, "", false)
	checkLine(t, "replicated though the replica has no price", b, ReplicatedWriteCapacity, "", true)

	for region, want := range map[string]string{"": "no region", "moon-1": `region "moon-1" is not in the price book of 2025-08-28`} {
		if _, err := BillOf(tb, nil, mustBook(t), region); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("region %q: error %v, want %q", region, err, want)
		}
	}
}

// Replicas at their own prices and settings.
func TestBillReplicas(t *testing.T) {
	tb := global(provisioned(10, 10), "eu-west-1")
	tb.Replicas.Items[0].Read, tb.Replicas.Items[0].Class, tb.Replicas.Items[0].PITR = val(int64(100)), val(table.InfrequentAccess), val(true)
	tb.SizeBytes, tb.ItemCount = val(int64(GB-148)), val(int64(1))
	b := mustBill(t, tb, "us-east-1", standardMonth)
	for _, c := range []struct{ component, region, want string }{
		{ReadCapacity, "us-east-1", "$0.95"},
		{ReadCapacity, "eu-west-1", "$13.43"},           // 100 × 730 × 0.000184
		{ReplicatedWriteCapacity, "eu-west-1", "$6.71"}, // 10 × 730 × 0.000919
		{StorageComponent, "us-east-1", "$0.25"},
		{StorageComponent, "eu-west-1", "$0.11"},
		{PITRComponent, "us-east-1", "$0.00"},
		{PITRComponent, "eu-west-1", "$0.22"},
	} {
		if got := total(b, func(l Line) bool { return l.Component == c.component && l.Region == c.region }); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.component, c.region, got, c.want)
		}
	}
	for _, l := range b.Lines {
		if l.Component == StorageComponent && !l.Quantity.Equal(decimal.NewFromInt(1)) {
			t.Errorf("storage %s GB, want exactly 1 with 100 + 48 B for the item", l.Quantity)
		}
	}

	// A global table of CloudFormation lists every Region, its own included.
	tb = global(provisioned(10, 10), "us-east-1")
	tb.ResourceType = globalTable
	if got := mustBill(t, tb, "us-east-1", standardMonth).Total.String(); got != "$5.69" {
		t.Errorf("global table in one Region: %s, want $5.69", got)
	}
}

// PITR covers the table and its LSIs but no GSI.
func TestBillPITRCoversLSIs(t *testing.T) {
	lsi, gsi := index(table.LSI, "l", "ALL", keyOf("id", "s")), index(table.GSI, "g", "ALL", keyOf("a"))
	tb := onDemand([]*table.Index{lsi, gsi})
	sized(10)(tb)
	lsi.SizeBytes, gsi.SizeBytes, tb.PITR = val(int64(5*GB)), val(int64(7*GB)), val(true)
	b := mustBill(t, tb, "us-east-1", standardMonth)
	if got := total(b, component(PITRComponent)); got != "$3.00" {
		t.Errorf("pitr %s, want 15 GB × 0.20 = $3.00", got)
	}
	if got := total(b, component(StorageComponent)); got != "$5.50" {
		t.Errorf("storage %s, want 22 GB × 0.25 = $5.50", got)
	}
}
