package rules

import (
	"testing"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const mb = 1 << 20

// event is the entity of case O09: items of 1 KB, so many bytes a day and tenant.
func event(change ...func(*table.Entity)) *table.Entity {
	e := &table.Entity{
		Name: w("Event"), Size: table.Size{P50: w(int64(1024)), P99: w(int64(1024)), Max: w(int64(1024))},
		Key: []table.Template{
			{Attribute: "tenant", Text: w("{tenant}")}, {Attribute: "ts", Text: w("{ts}")}, {Attribute: "kind", Text: w("{kind}")},
		},
		Distinct: []table.Stat{{Attribute: "tenant", N: w(100.0)}},
	}
	for _, c := range change {
		c(e)
	}
	return e
}

// grows makes an entity of 100 tenants grow by mb MB a day and tenant.
func grows(megabytes float64) func(*table.Entity) {
	return func(e *table.Entity) { e.Growth = w(megabytes * mb / 1024 * 100) }
}

func holds(items float64) func(*table.Entity) {
	return func(e *table.Entity) { e.Count = w(items) }
}

func tenants(e *table.Entity, lsis ...*table.Index) *table.Table {
	return base(keyedBy("tenant:HASH:S", "ts:RANGE:S"), withLSIs(lsis...), func(t *table.Table) { t.Entities = listOf(e) })
}

func byKind(projection string) *table.Index {
	ix := lsi("byKind", "tenant:HASH:S", "kind:RANGE:S")
	ix.Projection = w(projection)
	return ix
}

func TestLSICollections(t *testing.T) {
	onGSI := tenants(event(grows(40)))
	onGSI.GSIs = listOf(gsi("byKind", "tenant:HASH:S", "kind:RANGE:S"))
	sampled := tenants(event(), byKind("ALL"))
	sampled.Entities.Items = nil
	sampled.SizeBytes = w(int64(20 << 30))
	sampled.Profile = &table.Profile{Items: 1000, Of: 1e6, Keys: []table.KeyProfile{{Attribute: "tenant", TopShare: 0.6}}}
	gb := 1024.0 * 1024 // items of 1 KB in a GB
	for _, c := range []ruleCase{
		{
			name: "O09 40 MB a day and tenant, ALL", rule: lsiCollection10GB, table: tenants(event(grows(40)), byKind("ALL")),
			want: []string{`^error each item collection of partition key "\{tenant\}" reaches the limit of 10 GB in 128 days: 80 MB a day with the entries of local index "byKind"`},
		},
		{name: "O09 GSI instead", rule: lsiCollection10GB, table: onGSI},
		{name: "1 MB a day: fourteen years", rule: lsiCollection10GB, table: tenants(event(grows(1), holds(100)), byKind("ALL"))},
		{
			name: "8 MB a day: 640 days", rule: lsiCollection10GB, table: tenants(event(grows(8), holds(100)), byKind("ALL")),
			want: []string{`^warning .* in 639 days`},
		}, // an item each is there already
		{name: "kept 30 days", rule: lsiCollection10GB, table: tenants(event(grows(40), holds(100), func(e *table.Entity) { e.Retention = w(30.0 * 86400) }), byKind("ALL"))},
		{
			name: "kept 200 days", rule: lsiCollection10GB, table: tenants(event(grows(40), holds(100), func(e *table.Entity) { e.Retention = w(200.0 * 86400) }), byKind("ALL")),
			want: []string{`^error .* in 127 days`},
		},
		{name: "10 GB now", rule: lsiCollection10GB, table: tenants(event(holds(100*5*gb)), byKind("ALL")), want: []string{`^error .* has 10 GB with`}},
		{name: "8 GB now", rule: lsiCollection10GB, table: tenants(event(holds(100*4*gb)), byKind("ALL")), want: []string{`^warning .* has 8 GB with .*over 80 %`}},
		{name: "7 GB now", rule: lsiCollection10GB, table: tenants(event(holds(100*3.5*gb)), byKind("ALL"))},
		{name: "busiest of many", rule: lsiCollection10GB, table: tenants(event(holds(100*gb), func(e *table.Entity) {
			e.Busiest = []table.Stat{{Attribute: "tenant", N: w(0.2)}}
		}), byKind("ALL")), want: []string{`^warning the busiest item collection .*\(20 % of the traffic, .* has 40 GB`}},
		{
			name: "distinct unknown", rule: lsiCollection10GB, table: tenants(event(holds(1e9), func(e *table.Entity) { e.Distinct = nil }), byKind("ALL")),
			skips: []string{`tenant: distinct values of "tenant"`},
		},
		{name: "distinct unknown, small anyhow", rule: lsiCollection10GB, table: tenants(event(holds(1e6), func(e *table.Entity) { e.Distinct = nil }), byKind("ALL"))},
		{
			name: "no entities", rule: lsiCollection10GB, table: base(keyedBy("tenant:HASH:S", "ts:RANGE:S"), withLSIs(byKind("ALL"))),
			skips: []string{": declared entities or an item profile"},
		},
		{name: "sampled", rule: lsiCollection10GB, table: sampled, want: []string{`^error the largest item collection of "tenant" has about 12 GB \(60 % of 1,000 items sampled\)`}},
	} {
		c.run(t)
	}
}

func TestLSIItems(t *testing.T) {
	sized := func(kb int64) func(*table.Entity) {
		return func(e *table.Entity) { e.Size.Max = w(kb * 1024) }
	}
	for _, c := range []ruleCase{
		{name: "250 KB twice", rule: lsiItem400KB, table: tenants(event(sized(250)), byKind("ALL")), want: []string{`^error the largest item of "Event" has 500 KB .*limit is 400 KB`}},
		{name: "170 KB twice", rule: lsiItem400KB, table: tenants(event(sized(170)), byKind("ALL")), want: []string{`^warning .* 340 KB`}},
		{name: "160 KB twice", rule: lsiItem400KB, table: tenants(event(sized(160)), byKind("ALL"))},
		{
			name: "160.25 KB twice", rule: lsiItem400KB, table: tenants(event(func(e *table.Entity) { e.Size.Max = w(int64(164_096)) }), byKind("ALL")),
			want: []string{`^warning .* 320.5 KB`},
		},
		{name: "250 KB and keys", rule: lsiItem400KB, table: tenants(event(sized(250), func(e *table.Entity) {
			for _, name := range []string{"tenant", "ts", "kind"} {
				e.Attributes = append(e.Attributes, table.EntityAttribute{Name: name, Type: w("S"), Size: w(int64(20))})
			}
		}), byKind("KEYS_ONLY"))},
		{
			name: "largest unknown", rule: lsiItem400KB, table: tenants(event(func(e *table.Entity) { e.Size.Max = source.Value[int64]{} }), byKind("ALL")),
			skips: []string{`Event: the largest item size of "Event" (not stated)`},
		},
		{name: "no LSI", rule: lsiItem400KB, table: tenants(event(sized(399)))},
	} {
		c.run(t)
	}
}

func TestLSIPatterns(t *testing.T) {
	query := func(change ...func(*table.Pattern)) *table.Pattern {
		pt := &table.Pattern{
			Name: w("by kind"), Table: w("Orders"), Index: w("byKind"), Operation: w(table.Query), Entity: w("Event"),
			Key: w("tenant = :t AND kind = :k"), Returns: w(10.0), Average: w(5.0), Peak: w(50.0),
			Needs: listOf(w("total")),
		}
		for _, c := range change {
			c(pt)
		}
		return pt
	}
	strong := func(pt *table.Pattern) { pt.Consistent = w(true) }
	with := func(projection string, patterns ...*table.Pattern) *table.Table {
		tab := tenants(event(), byKind(projection))
		tab.Patterns = listOf(patterns...)
		return tab
	}
	write := &table.Pattern{Name: w("log"), Table: w("Orders"), Operation: w(table.PutItem), Entity: w("Event"), Average: w(100.0), Peak: w(1000.0)}
	hot := func(share float64, peak float64, indexes ...*table.Index) *table.Table {
		tab := tenants(event(func(e *table.Entity) { e.Busiest = []table.Stat{{Attribute: "tenant", N: w(share)}} }), indexes...)
		pt := *write
		pt.Peak = w(peak)
		tab.Patterns = listOf(&pt)
		return tab
	}
	unknownShare := hot(0.5, 1000, byKind("ALL"))
	unknownShare.Entities.Items[0].Busiest = nil
	unknownShare.Entities.Items[0].Distinct = nil
	for _, c := range []ruleCase{
		{name: "eventual only", rule: lsiNotNeeded, table: with("ALL", query()), want: []string{`^warning 1 pattern on local index "byKind", 0 of them strongly`}},
		{name: "strong", rule: lsiNotNeeded, table: with("ALL", query(strong))},
		{name: "no pattern on it", rule: lsiNotNeeded, table: with("ALL", write), want: []string{`^warning no declared access pattern uses`}},
		{name: "index unknown", rule: lsiNotNeeded, table: with("ALL", query(func(pt *table.Pattern) { pt.Index = un[string]("var") })), skips: []string{"var"}},
		{name: "no patterns", rule: lsiNotNeeded, table: with("ALL"), skips: []string{"access patterns"}},

		{name: "not projected", rule: lsiFetch, table: with("KEYS_ONLY", query()), want: []string{`^warning pattern "by kind" reads "total" through local index "byKind"`}},
		{name: "projected", rule: lsiFetch, table: with("ALL", query())},
		{name: "on the table", rule: lsiFetch, table: with("KEYS_ONLY", query(func(pt *table.Pattern) {
			pt.Index, pt.Key = source.Value[string]{}, w("tenant = :t")
		}))},
		{name: "projection unknown", rule: lsiFetch, table: func() *table.Table {
			tab := with("ALL", query())
			tab.LSIs.Items[0].Projection = un[string]("!Ref P")
			return tab
		}(), skips: []string{"by kind"}},

		{name: "500 WCU on one tenant", rule: lsiHotCollection, table: hot(0.25, 1000, byKind("ALL")), // 2 WCU with the entry
			want: []string{`^warning a peak of 500 WCU/s meets one key value .*"byKind"`}},
		{name: "under half", rule: lsiHotCollection, table: hot(0.2, 1000, byKind("ALL"))},
		{name: "no LSI", rule: lsiHotCollection, table: hot(0.9, 1000)},
		{name: "share unknown", rule: lsiHotCollection, table: unknownShare, skips: []string{`tenant: the busiest value's share of "tenant"`}},
	} {
		c.plans = plan.Table(c.table)
		c.run(t)
	}
}

// TestLSIFetchMonthly: 10 items of 1 KB by KEYS_ONLY entries: the entries' page
// and 10 fetched items of 4 KB each, eventual: at least 0.5 + 10 × 0.5; whole
// items in the index would be one page of 10 KB: 1.5.
func TestLSIFetchMonthly(t *testing.T) {
	tab := tenants(event(func(e *table.Entity) {
		for _, name := range []string{"tenant", "ts", "kind"} {
			e.Attributes = append(e.Attributes, table.EntityAttribute{Name: name, Type: w("S"), Size: w(int64(20))})
		}
	}), byKind("KEYS_ONLY"))
	tab.Class = w(table.Standard)
	tab.Patterns = listOf(&table.Pattern{
		Name: w("by kind"), Table: w("Orders"), Index: w("byKind"), Operation: w(table.Query), Entity: w("Event"),
		Key: w("tenant = :t AND kind = :k"), Returns: w(10.0), Average: w(10.0), Peak: w(10.0), Needs: listOf(w("total")),
	})
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	p := &Pass{Table: tab, Plans: plan.Table(tab), Book: book, Region: "us-east-1", rule: lsiFetch}
	lsiFetch.Check(p)
	if len(p.findings) != 1 {
		t.Fatalf("%d findings, skips %v", len(p.findings), p.skips)
	}
	f := p.findings[0]
	// (5.5 − 1.5) × 10 a second × 2,628,000 s × $0.125/M = $13.14
	if got := f.Monthly.String(); got != "$13.14" {
		t.Errorf("monthly %s, numbers %v, %s", got, f.Numbers, f.Message)
	}
}

// TestGSIDuplicateMonthly: 10 writes a second of 1 KB items, ALL, are 10 WRU/s
// on the copy: 26,280,000 × $0.625/M = $16.425; 1,048,576 entries of
// 1,024 + 100 B are 1.09765625 GB × $0.25 = $0.2744140625. Together $16.70.
func TestGSIDuplicateMonthly(t *testing.T) {
	e := event(holds(1_048_576), func(e *table.Entity) { e.Attributes = []table.EntityAttribute{{Name: "kind", Type: w("S")}} })
	tab := tenants(e)
	tab.Class, tab.PITR = w(table.Standard), w(false)
	tab.GSIs = listOf(gsi("byKind", "kind:HASH:S"), gsi("copy", "kind:HASH:S"))
	tab.Patterns = listOf(&table.Pattern{
		Name: w("log"), Table: w("Orders"), Operation: w(table.PutItem), Entity: w("Event"), Average: w(10.0), Peak: w(10.0),
	})
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	p := &Pass{Table: tab, Plans: plan.Table(tab), Book: book, Region: "us-east-1", rule: gsiDuplicate}
	gsiDuplicate.Check(p)
	if len(p.findings) != 1 {
		t.Fatalf("%d findings, skips %v", len(p.findings), p.skips)
	}
	if got := p.findings[0].Monthly.String(); got != "$16.70" {
		bill, err := cost.BillOf(tab, p.Plans, book, "us-east-1")
		t.Errorf("monthly %s, bill %+v, %v", got, bill, err)
	}
}

func TestGSIMaximum(t *testing.T) {
	limited := func(most int64) *table.Index {
		ix := gsi("byMail", "mail:HASH:S")
		ix.MaxOnDemand.Write = w(most)
		return ix
	}
	baseMax := func(most int64) func(*table.Table) {
		return func(t *table.Table) { t.MaxOnDemand.Write = w(most) }
	}
	writes := func(peak float64) func(*table.Table) {
		return func(t *table.Table) {
			t.Entities = listOf(&table.Entity{
				Name: w("Order"), Size: table.Size{P50: w(int64(900)), Max: w(int64(900))},
				Attributes: []table.EntityAttribute{{Name: "mail", Type: w("S")}},
			})
			t.Patterns = listOf(&table.Pattern{Name: w("place"), Table: w("Orders"), Operation: w(table.PutItem), Entity: w("Order"), Peak: w(peak)})
		}
	}
	for _, c := range []ruleCase{
		{
			name: "below", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(100)), baseMax(1000)),
			want: []string{`^warning global index "byMail" takes at most 100 write units a second, under the table's maximum of 1000`},
		},
		{name: "equal", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(1000)), baseMax(1000))},
		{name: "no maximum", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(gsi("g", "a:HASH")), baseMax(1000))},
		{name: "removed", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(-1)), baseMax(1000))},
		{
			name: "under the declared peak", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(100)), writes(150)),
			want: []string{`declared writes peak at 150`},
		},
		{name: "over the declared peak", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(100)), writes(50))},
		{name: "nothing to compare with", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(limited(100))), skips: []string{"a write maximum of the table, or access patterns"}},
		{name: "unresolved", rule: gsiMaxThroughputBelowBase, table: base(withGSIs(func() *table.Index {
			ix := limited(1)
			ix.MaxOnDemand.Write = un[int64]("!Ref M")
			return ix
		}()), baseMax(5)), skips: []string{"on-demand write maximum (unresolved: !Ref M)"}},
		{name: "provisioned", rule: gsiMaxThroughputBelowBase, table: base(fixed(1, 1), withGSIs(limited(1)), baseMax(5))},
	} {
		c.plans = plan.Table(c.table)
		c.run(t)
	}
}
