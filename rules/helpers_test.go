package rules

import (
	"slices"
	"testing"

	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

func TestPeriodOf(t *testing.T) {
	for name, want := range map[string]period{
		"date": surePeriod, "yyyy-mm-dd": surePeriod, "YYYYMM": surePeriod, "hour": surePeriod, "day": surePeriod, "month": surePeriod,
		"yyyy-mm-ddThh": noPeriod, "hourBucket": surePeriod, "time_bucket": surePeriod, "yyyymmddhh": surePeriod,
		"orderDate": maybePeriod, "created_day": maybePeriod, "billing-month": maybePeriod,
		"createdAt": noPeriod, "timestamp": noPeriod, "orderId": noPeriod, "update": noPeriod, "holiday": noPeriod, "yyyymmddhhmmss": noPeriod, "": noPeriod,
	} {
		if got := periodOf(name); got != want {
			t.Errorf("%q is %d, want %d", name, got, want)
		}
	}
}

func TestNameHints(t *testing.T) {
	for name, want := range map[string]bool{
		"status": true, "orderStatus": true, "is_active": true, "isDeleted": true, "STATE": true, "documentType": true,
		"statusId": false, "estate": false, "island": false, "userId": false, "is": false,
	} {
		if got := fewValuesName(name); got != want {
			t.Errorf("fewValuesName(%q) = %v", name, got)
		}
	}
	if got := nameWords("GSI1_orderDate-x"); !slices.Equal(got, []string{"gsi1", "order", "date", "x"}) {
		t.Errorf("words are %q", got)
	}
}

func TestShardRange(t *testing.T) {
	for name, want := range map[string]int{"0..9": 10, "1..10": 10, "shard: 0..2": 3, "0..N-1": 0, "9..0": 0, "id": 0, "0..999999999": 1000000000} {
		if got := shardRange(name); got != want {
			t.Errorf("%q has %d shards, want %d", name, got, want)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", 1500: "1,500", 6553600: "6,553,600", 0.5: "0.5", 12.345: "12.35", 0.0012: "0.0012", 999.999: "1,000", -1234.5: "-1,234.5",
	} {
		if got := number(f); got != want {
			t.Errorf("number(%v) = %q, want %q", f, got, want)
		}
	}
	for b, want := range map[float64]string{0: "0 B", 1023: "1,023 B", 1024: "1 KB", 1536: "1.5 KB", 50 << 30: "50 GB"} {
		if got := byteSize(b); got != want {
			t.Errorf("byteSize(%v) = %q, want %q", b, got, want)
		}
	}
	if got := quotedList([]string{"a", "b", "c"}); got != `"a", "b" and "c"` {
		t.Errorf("got %s", got)
	}
	if got := percent(0.0666); got != "6.7 %" {
		t.Errorf("got %s", got)
	}
}

// TestScanOfAnUnknownIndex: what a Scan reads is open where its index is.
func TestScanOfAnUnknownIndex(t *testing.T) {
	scan := &table.Pattern{Name: w("all"), Operation: w(table.Scan), Index: un[string]("no such index: byX"), Average: w(1.0)}
	tbl := base(func(t *table.Table) { t.Patterns = listOf(scan) })
	ruleCase{name: "open", rule: apScanHot, table: tbl, plans: plan.Table(tbl), skips: []string{"no such index: byX"}}.run(t)
}
