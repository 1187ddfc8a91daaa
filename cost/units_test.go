package cost

import (
	"testing"

	"pgregory.net/rapid"
)

const kb = 1024.0

func TestReadUnits(t *testing.T) {
	for _, c := range []struct {
		id                              string
		got                             func(Consistency) float64
		strong, eventual, transactional float64
	}{
		{"U1", reads(3.5 * kb), 1, 0.5, 2},
		{"U2", reads(10 * kb), 3, 1.5, 6},
		{"U3 facts9.3", reads(8 * kb), 2, 1, 4},
		{"U4 facts9.5", batch(1.5*kb, 6.5*kb), 3, 1.5, 6},
		{"U5 facts9.4", query(10, 4.08*kb), 11, 5.5, 22},
		{"U6 facts9.4", query(1500, 64), 24, 12, 48},
		{"U7", reads(0), 1, 0.5, 2},
		{"U8", query(80, kb), 20, 10, 40},
		{"U18 facts9.7", query(8, 2000), 4, 2, 8},
		{"U14 facts9.6 TransactGet", batch(500, 500, 500), 3, 1.5, 6},
		{"U23 Get", reads(4096), 1, 0.5, 2},
		{"U23 Query", query(10, 2048), 5, 2.5, 10},
		{"U23 BatchGet", batch(2048, 2048, 2048), 3, 1.5, 6},
		{"U23 TransactGet", batch(4096, 4096, 4096, 4096, 4096), 5, 2.5, 10},
		{"facts9.7 LSI with fetch", func(m Consistency) float64 { return FetchUnits(4, 200, 4*kb, m) }, 5, 2.5, 10},
		{"facts2 empty query", query(0, 0), 1, 0.5, 2},
	} {
		if s, e, x := c.got(Strong), c.got(Eventual), c.got(Transactional); s != c.strong || e != c.eventual || x != c.transactional {
			t.Errorf("%s: strong %v, eventual %v, transactional %v; want %v, %v, %v", c.id, s, e, x, c.strong, c.eventual, c.transactional)
		}
	}
}

func reads(b float64) func(Consistency) float64 {
	return func(m Consistency) float64 { return ReadUnits(b, m) }
}

func batch(b ...float64) func(Consistency) float64 {
	return func(m Consistency) float64 { return BatchReadUnits(b, m) }
}

func query(n, b float64) func(Consistency) float64 {
	return func(m Consistency) float64 { return PageUnits(n, b, m) }
}

// A page holds whole items, so pages round up one by one: 3 items of 341 KB
// fit one page (1,023 KB, 256 units), and the fourth begins another (86).
func TestPageUnitsRoundOncePerPage(t *testing.T) {
	for _, c := range []struct{ items, bytes, want float64 }{
		{3, 341 * kb, 256},
		{4, 341 * kb, 256 + 86},
		{4, 400 * kb, 200 + 200}, // two a page
		{2048, kb, 256 + 256},    // pages filled to the byte
		{1048577, 1, 256 + 1},    // one byte on the second page
		{1500, 1024, 256 + 119},  // 1,024 a page, then 476 KB
		{1000, 300, 74},
		{1000, kb, 250}, // O05, O14
	} {
		if got := PageUnits(c.items, c.bytes, Strong); got != c.want {
			t.Errorf("PageUnits(%v × %v B) = %v, want %v", c.items, c.bytes, got, c.want)
		}
	}
}

func TestWriteUnits(t *testing.T) {
	for _, c := range []struct {
		id        string
		got, want float64
	}{
		{"U9 put", WriteUnits(0, 1.6*kb), 2},
		{"U9 delete", WriteUnits(1.6*kb, 0), 2},
		{"U10 facts9.5", BatchWriteUnits([]float64{500, 3.5 * kb}), 5},
		{"U11 2 KB", WriteUnits(0, 2*kb), 2},
		{"U11 3 KB", WriteUnits(0, 3*kb), 3},
		{"U11 2 KB in a transaction", TransactWriteUnits(0, 2*kb), 4},
		{"U11 facts9.3 3 KB in a transaction", TransactWriteUnits(0, 3*kb), 6},
		{"U12 shrinks", WriteUnits(3*kb, kb), 3},
		{"U12 grows", WriteUnits(kb, 3*kb), 3},
		{"U14 facts9.6", 3 * TransactWriteUnits(0, 500), 6},
		{"U16 facts9.2", 100 * WriteUnits(0, 512), 100},
		{"U23 Put 1024", WriteUnits(0, 1024), 1},
		{"U23 Put 3000", WriteUnits(0, 3000), 3},
		{"U23 BatchWrite", BatchWriteUnits([]float64{1536, 1536, 1536}), 6},
		{"U23 TransactWrite", 5 * TransactWriteUnits(0, 1024), 10},
		{"facts9.14 condition failed on 310 KB", FailedConditionUnits(310*kb, kb), 310},
		{"U13 condition failed on a missing item", FailedConditionUnits(0, kb), 1},
		{"facts2 delete of a missing item", WriteUnits(0, 0), 1},
		{"O11 390 KB", WriteUnits(0, 390*kb), 390},
		{"U15 facts9.2", 80 * ReadUnits(3*kb, Strong), 80},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v units, want %v", c.id, c.got, c.want)
		}
	}
	// U13: sources disagree on which item counts; the larger is priced.
	if got := FailedConditionUnits(kb, 2*kb); got < 1 || got > 2 {
		t.Errorf("U13: %v units, want 1 to 2", got)
	}
}

// U20 and the table of facts section 3.
func TestIndexWriteUnits(t *testing.T) {
	for _, c := range []struct {
		id            string
		before, after float64
		change        EntryChange
		want          float64
	}{
		{"U20 not in the index before and after", 0, 0, EntryUntouched, 0},
		{"U20 new indexed attribute", 0, 512, EntryAdded, 1},
		{"U20 attribute removed", 512, 0, EntryRemoved, 1},
		{"U20 projected attribute changed", 512, 512, EntryChanged, 1},
		{"U20 key value changed", 512, 512, EntryMoved, 2},
		{"U23 GSI 512 B", 0, 512, EntryAdded, 1},
		{"facts3 identical", 3000, 3000, EntryUntouched, 0},
		{"facts3 changed: the larger", 3 * kb, kb, EntryChanged, 3},
		{"facts3 moved: rounded apart", 1.5 * kb, 2.5 * kb, EntryMoved, 2 + 3},
	} {
		if got := IndexWriteUnits(c.before, c.after, c.change); got != c.want {
			t.Errorf("%s: %v units, want %v", c.id, got, c.want)
		}
	}
}

func TestThroughputU17(t *testing.T) {
	for m, want := range map[Consistency]float64{Strong: 24 * kb, Eventual: 48 * kb, Transactional: 12 * kb} {
		if got := ReadThroughput(6, m); got != want {
			t.Errorf("6 RCU %s: %v B/s, want %v", m, got, want)
		}
	}
	if got := WriteThroughput(6, false); got != 6*kb {
		t.Errorf("6 WCU: %v B/s, want %v", got, 6*kb)
	}
	if got := WriteThroughput(6, true); got != 3*kb {
		t.Errorf("6 WCU in transactions: %v B/s, want %v", got, 3*kb)
	}
}

func TestOnDemandStartU22(t *testing.T) {
	for _, c := range [][4]int64{
		{100, 100, 12_000, 4_000},
		{12_000, 4_000, 12_000, 4_000},
		{10_000, 10_000, 12_000, 10_000},
		{24_000, 8_000, 24_000, 8_000},
	} {
		if r, w := OnDemandStart(c[0], c[1]); r != c[2] || w != c[3] {
			t.Errorf("from %d/%d: %d/%d, want %d/%d", c[0], c[1], r, w, c[2], c[3])
		}
	}
}

// O13: a scan of 50 GB is 6.55 million units wherever its pages end.
func TestScanO13(t *testing.T) {
	if got := ReadUnits(50*GB, Eventual); got != 6_553_600 {
		t.Errorf("50 GB: %v units, want 6,553,600", got)
	}
	if got := PageUnits(50*GB/kb, kb, Eventual); got != 6_553_600 {
		t.Errorf("50 GB of 1 KB items: %v units, want 6,553,600", got)
	}
	got, known := MonthlyRequests(mustBook(t), "us-east-1", "STANDARD", 6_553_600.0/3600, 0).Float()
	if !known || got < 598.01 || got > 598.02 {
		t.Errorf("hourly: $%v a month, want $598.02", got)
	}
}

// A larger item never costs less, whatever is done with it.
func TestUnitsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(0, 400*kb)
		a, b := size.Draw(t, "a"), size.Draw(t, "b")
		a, b = min(a, b), max(a, b)
		other := size.Draw(t, "other")
		n := float64(rapid.IntRange(1, 20_000).Draw(t, "n"))
		m := Consistency(rapid.IntRange(0, 2).Draw(t, "mode"))
		change := EntryChange(rapid.IntRange(0, 4).Draw(t, "change"))
		for name, f := range map[string]func(float64) float64{
			"read":        func(x float64) float64 { return ReadUnits(x, m) },
			"batch":       func(x float64) float64 { return BatchReadUnits([]float64{x, other}, m) },
			"page":        func(x float64) float64 { return PageUnits(n, x, m) },
			"fetch":       func(x float64) float64 { return FetchUnits(n, other, x, m) },
			"write":       func(x float64) float64 { return WriteUnits(x, other) },
			"transaction": func(x float64) float64 { return TransactWriteUnits(other, x) },
			"batch write": func(x float64) float64 { return BatchWriteUnits([]float64{x, other}) },
			"index":       func(x float64) float64 { return IndexWriteUnits(x, other, change) },
		} {
			if f(a) > f(b) {
				t.Fatalf("%s: %v B cost %v units, %v B cost %v", name, a, f(a), b, f(b))
			}
		}
		if PageUnits(n, a, m) > PageUnits(n+1, a, m) {
			t.Fatalf("%v items of %v B cost more than one more item", n, a)
		}
	})
}
