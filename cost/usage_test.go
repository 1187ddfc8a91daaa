package cost

import (
	"slices"
	"strings"
	"testing"

	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// unitsOn is the units on the table ("") or an index.
func unitsOn(u Usage, index string) (read, write float64) {
	for _, p := range u.Parts {
		if p.Index == index {
			read += p.Read
			write += p.Write
		}
	}
	return read, write
}

func checkUnits(t *testing.T, id string, u Usage, index string, read, write float64) {
	t.Helper()
	if len(u.Unknown) > 0 {
		t.Errorf("%s: unknown %q", id, u.Unknown)
	}
	if r, w := unitsOn(u, index); r != read || w != write {
		t.Errorf("%s: index %q: %v read, %v written; want %v, %v (%v)", id, index, r, w, read, write, u.Parts)
	}
}

func checkUnknown(t *testing.T, id string, u Usage, want string) {
	t.Helper()
	if !slices.ContainsFunc(u.Unknown, func(s string) bool { return strings.Contains(s, want) }) {
		t.Errorf("%s: unknown is %q, want %q in it", id, u.Unknown, want)
	}
}

func TestConsumeReads(t *testing.T) {
	e := entity("E", 1e6, 300)
	gsi := index(table.GSI, "byA", "ALL", keyOf("a"))
	lsi := index(table.LSI, "local", "KEYS_ONLY", keyOf("id", "s"))
	tb := onDemand([]*table.Index{gsi, lsi}, e, entity("Big", 10, 8*1024))
	for _, c := range []struct {
		id    string
		r     plan.Result
		index string
		want  float64
	}{
		{"O05 Query strong", served(tb, table.Query, "E", 1, reading(nil, 1000, 300_000), strong), "", 74},
		{"O05 Query eventual", served(tb, table.Query, "E", 1, reading(nil, 1000, 300_000)), "", 37},
		{"O05 BatchGet strong", served(tb, table.BatchGetItem, "E", 1, returns(1000), strong), "", 1000},
		{"O05 BatchGet eventual", served(tb, table.BatchGetItem, "E", 1, returns(1000)), "", 500},
		{"O14 strong, filter keeps a tenth", served(tb, table.Query, "E", 1, reading(nil, 1000, 1_024_000), strong, returns(100)), "", 250},
		{"O14 eventual", served(tb, table.Query, "E", 1, reading(nil, 1000, 1_024_000), returns(100)), "", 125},
		{"O12 strong doubles", served(tb, table.Query, "Big", 1, reading(nil, 10, 81_920), strong), "", 20},
		{"O12 eventual", served(tb, table.Query, "Big", 1, reading(nil, 10, 81_920)), "", 10},
		{"GetItem", served(tb, table.GetItem, "Big", 1), "", 1},
		{"GetItem strong", served(tb, table.GetItem, "Big", 1, strong), "", 2},
		{"TransactGetItems", served(tb, table.TransactGetItems, "Big", 1, returns(3)), "", 12},
		{"U18 GSI query", served(tb, table.Query, "E", 1, reading(gsi, 8, 16_000)), "byA", 2},
		{"nothing found", served(tb, table.Query, "E", 1, reading(nil, 0, 0)), "", 0.5},
		{"LSI query is the table's", served(tb, table.Query, "E", 1, reading(lsi, 4, 800), strong), "", 1},
		{"facts9.7 LSI fetch", served(tb, table.Query, "Big", 1, reading(lsi, 4, 800), strong, func(r *plan.Result) { r.Access.Fetch = true }), "", 1 + 8},
		{"fan-out over 10 shards", served(tb, table.Query, "E", 1, reading(gsi, 100, 30_000), func(r *plan.Result) { r.Access.Queries = 10 }), "byA", 5},
		{"fan-out over more shards than items", served(tb, table.Query, "E", 1, reading(gsi, 5, 1500), func(r *plan.Result) { r.Access.Queries = 20 }), "byA", 10},
		{"scan of 3 pages", served(tb, table.Scan, "E", 1, reading(nil, 3072, 3<<20)), "", 384},
	} {
		checkUnits(t, c.id, Consume(tb, &c.r), c.index, c.want, 0)
	}

	back := served(tb, table.Query, "Big", 1, reading(gsi, 10, 1000), returns(4), func(r *plan.Result) { r.Access.FetchBack = true })
	u := Consume(tb, &back)
	checkUnits(t, "GSI part of a fetch back", u, "byA", 0.5, 0)
	checkUnits(t, "table part of a fetch back", u, "", 4, 0)
}

// The sizes of a KEYS_ONLY entry are not declared, yet four of them cannot
// take more than one unit when the whole items do not.
func TestConsumeReadsWithoutEntrySizes(t *testing.T) {
	gsi := index(table.GSI, "byA", "KEYS_ONLY", keyOf("a"))
	tb := onDemand([]*table.Index{gsi}, entity("E", 1e6, 1000))
	r := served(tb, table.Query, "E", 1, reading(gsi, 4, 0))
	r.Bytes = source.Value[float64]{}
	checkUnits(t, "4 items of 1,000 B", Consume(tb, &r), "byA", 0.5, 0)
	r.Evaluated = val(100.0)
	checkUnknown(t, "100 items", Consume(tb, &r), `size of a of "E", size of id of "E"`)
	r.Evaluated = source.Value[float64]{}
	checkUnknown(t, "no count", Consume(tb, &r), "the number of items it reads")
}

func TestConsumeUnknown(t *testing.T) {
	gsi := index(table.GSI, "byA", "ALL", keyOf("a"))
	sized, unsized := entity("E", 1, 100), entity("U", 1, 0)
	tb := onDemand([]*table.Index{gsi}, sized, unsized)
	with := func(r plan.Result, f func(*plan.Result)) plan.Result { f(&r); return r }
	for _, c := range []struct {
		want string
		r    plan.Result
	}{
		{`item_size of "U"`, served(tb, table.GetItem, "U", 1)},
		{`item_size of "U"`, served(tb, table.PutItem, "U", 1)},
		{"the entity it reads", served(tb, table.GetItem, "Nobody", 1)},
		{"the entity it writes", served(tb, table.PutItem, "Nobody", 1)},
		{"returns", served(tb, table.BatchGetItem, "E", 1)},
		{"returns", served(tb, table.BatchWriteItem, "E", 1)},
		{"sets", served(tb, table.UpdateItem, "E", 1)},
		{"a pattern that is served (no such index)", with(served(tb, table.Query, "E", 1), func(r *plan.Result) {
			r.State, r.Access, r.Faults = plan.Unserved, nil, []plan.Fault{{Message: "no such index"}}
		})},
		{"keys of T", with(served(tb, table.Query, "E", 1), func(r *plan.Result) { r.State, r.Needs = plan.Unknown, []string{"keys of T"} })},
		{"whether it reads consistently", with(served(tb, table.GetItem, "E", 1), func(r *plan.Result) {
			r.Pattern.Consistent = source.Unresolved[bool]("x", source.Span{})
		})},
		{"operation", with(served(tb, table.GetItem, "E", 1), func(r *plan.Result) { r.Pattern.Operation = source.Unresolved[string]("x", source.Span{}) })},
	} {
		checkUnknown(t, c.want, Consume(tb, &c.r), c.want)
	}
	r := served(tb, table.Scan, "U", 1, reading(nil, 1000, 0))
	r.Bytes = source.Value[float64]{}
	checkUnknown(t, "scan of items without a size", Consume(tb, &r), `item_size of "U"`)
	tb.GSIs.Incomplete = "dynamic block"
	r = served(tb, table.PutItem, "E", 1)
	checkUnknown(t, "more indexes may exist", Consume(tb, &r), "dynamic block")
}

// O15 as corrected: 3 KB items, inserted, changed outside the index's keys, and
// with a changed index key.
func TestConsumeWritesO15(t *testing.T) {
	for _, c := range []struct {
		projection            string
		insert, update, moved float64
		monthly               string // of 10 million inserts
	}{
		{"ALL", 6, 6, 9, "$37.50"},
		{"KEYS_ONLY", 4, 3, 5, "$25.00"},
	} {
		gsi := index(table.GSI, "byA", c.projection, keyOf("a"))
		tb := onDemand([]*table.Index{gsi}, entity("E", 1, 3*1024, attr("a", "S", 20), attr("id", "S", 20)))
		for id, want := range map[string]float64{"insert": c.insert, "update": c.update, "moved": c.moved} {
			r := map[string]plan.Result{
				"insert": served(tb, table.PutItem, "E", 1),
				"update": served(tb, table.UpdateItem, "E", 1, sets("other")),
				"moved":  served(tb, table.UpdateItem, "E", 1, sets("a", "other")),
			}[id]
			u := Consume(tb, &r)
			if _, w, known := u.Units(); w != want || !known {
				t.Errorf("O15 %s %s: %v units, known %v %v; want %v", c.projection, id, w, known, u.Unknown, want)
			}
		}
		const perSecond = 10e6 / (HoursPerMonth * 3600)
		if got := MonthlyRequests(mustBook(t), "us-east-1", "STANDARD", 0, c.insert*perSecond).String(); got != c.monthly {
			t.Errorf("O15 %s: %s a month, want %s", c.projection, got, c.monthly)
		}
	}
}

// O47: index units 0, 0, 1, 2, 1, 0 by what the write does, in a transaction
// too; only the table's arm doubles there.
func TestConsumeWritesO47(t *testing.T) {
	gsi := index(table.GSI, "g", "INCLUDE", keyOf("gk"), "proj")
	e := entity("E", 1, 1024, attr("gk", "S", 10), attr("proj", "S", 10), attr("id", "S", 10))
	without := entity("NoKey", 1, 1024, attr("id", "S", 10))
	tb := onDemand([]*table.Index{gsi}, e, without)
	for _, c := range []struct {
		id         string
		r          plan.Result
		base, want float64
	}{
		{"b outside the projection", served(tb, table.UpdateItem, "E", 1, sets("other")), 1, 0},
		{"c projected", served(tb, table.UpdateItem, "E", 1, sets("proj")), 1, 1},
		{"d index key", served(tb, table.UpdateItem, "E", 1, sets("gk")), 1, 2},
		{"d index key and projected", served(tb, table.UpdateItem, "E", 1, sets("proj", "gk")), 1, 2},
		{"e removed with its item", served(tb, table.DeleteItem, "E", 1), 1, 1},
		{"f insert without the key", served(tb, table.PutItem, "NoKey", 1), 1, 0},
		{"insert with the key", served(tb, table.PutItem, "E", 1), 1, 1},
		{"batch of 25", served(tb, table.BatchWriteItem, "E", 1, returns(25)), 25, 25},
		{"b in a transaction", served(tb, table.TransactWriteItems, "E", 1, returns(1), sets("other")), 2, 0},
		{"c in a transaction", served(tb, table.TransactWriteItems, "E", 1, returns(1), sets("proj")), 2, 1},
		{"d in a transaction", served(tb, table.TransactWriteItems, "E", 1, returns(1), sets("gk")), 2, 2},
		{"f in a transaction", served(tb, table.TransactWriteItems, "NoKey", 1, returns(1)), 2, 0},
		{"insert of 3 in a transaction", served(tb, table.TransactWriteItems, "E", 1, returns(3)), 6, 3},
	} {
		u := Consume(tb, &c.r)
		checkUnits(t, c.id, u, "g", 0, c.want)
		checkUnits(t, c.id, u, "", 0, c.base)
	}
	// a, an identical put, and e, a removed key, are writes that a pattern cannot
	// declare: their units are those of the pure functions.
	if a, e := IndexWriteUnits(1024, 1024, EntryUntouched), IndexWriteUnits(1024, 0, EntryRemoved); a != 0 || e != 1 {
		t.Errorf("O47 a, e: %v and %v units, want 0 and 1", a, e)
	}
}

// Keys made by templates: a change of what they are made of moves the entry,
// and an entity without the overloaded key is not in the index.
func TestConsumeOverloadedKeys(t *testing.T) {
	gsi := index(table.GSI, "GSI1", "ALL", keyOf("GSI1PK", "GSI1SK"))
	order := entity("Order", 1, 500, attr("status", "S", 8))
	order.Key = []table.Template{
		{Attribute: "PK", Text: val("USER#{userId}")},
		{Attribute: "SK", Text: val("ORDER#{orderId}")},
		{Attribute: "GSI1PK", Text: val("STATUS#{status}")},
		{Attribute: "GSI1SK", Text: val("{orderDate}")},
	}
	user := entity("User", 1, 500)
	user.Key = order.Key[:2]
	tb := onDemand([]*table.Index{gsi}, order, user)
	tb.Key = keyOf("PK", "SK")
	for _, c := range []struct {
		id   string
		r    plan.Result
		want float64
	}{
		{"put order", served(tb, table.PutItem, "Order", 1), 1},
		{"put user", served(tb, table.PutItem, "User", 1), 0},
		{"status of order", served(tb, table.UpdateItem, "Order", 1, sets("status")), 2},
		{"note of order", served(tb, table.UpdateItem, "Order", 1, sets("note")), 1},
		{"name of user", served(tb, table.UpdateItem, "User", 1, sets("name")), 0},
	} {
		checkUnits(t, c.id, Consume(tb, &c.r), "GSI1", 0, c.want)
	}
	both := served(tb, table.TransactWriteItems, "", 1)
	both.Pattern.Entity = source.Value[string]{}
	both.Pattern.Entities.Items = vals("Order", "User")
	u := Consume(tb, &both)
	checkUnits(t, "order and user in a transaction", u, "", 0, 4)
	checkUnits(t, "order and user in a transaction", u, "GSI1", 0, 1)
}

// An LSI's units are the table's, and an optional key attribute leaves open how
// many items are in the index.
func TestConsumeLSIAndSparse(t *testing.T) {
	lsi := index(table.LSI, "local", "ALL", keyOf("id", "at"))
	flagged := attr("flaggedAt", "S", 20)
	flagged.Optional = val(true)
	gsi := index(table.GSI, "flagged", "KEYS_ONLY", keyOf("flaggedAt"))
	e := entity("E", 1, 2048, attr("at", "S", 20), flagged)
	tb := onDemand([]*table.Index{lsi, gsi}, e)
	put := served(tb, table.PutItem, "E", 1)
	u := Consume(tb, &put)
	if _, w := unitsOn(u, ""); w != 4 {
		t.Errorf("table with LSI: %v units, want 2 + 2", w)
	}
	checkUnknown(t, "optional key", u, `the share of "E" items that have "flaggedAt"`)
	other := served(tb, table.UpdateItem, "E", 1, sets("note"))
	checkUnits(t, "update that the sparse index does not carry", Consume(tb, &other), "flagged", 0, 0)
}

func TestEntrySize(t *testing.T) {
	e := entity("E", 1, 2000, attr("company", "S", 30), attr("score", "N", -1), attr("note", "S", -1))
	e.Key = []table.Template{{Attribute: "id", Text: val("C#{company}")}, {Attribute: "kind", Text: val("META")}}
	include := func(names ...string) *table.Index {
		return index(table.GSI, "g", "INCLUDE", keyOf("company"), names...)
	}
	for _, c := range []struct {
		id    string
		ix    *table.Index
		want  int64
		known bool
	}{
		{"ALL is the item", index(table.GSI, "g", "ALL", keyOf("company")), 2000, true},
		{"keys: id C#{company}, company", index(table.GSI, "g", "KEYS_ONLY", keyOf("company")), 2 + 32 + 7 + 30, true},
		{"a literal template", index(table.GSI, "g", "KEYS_ONLY", keyOf("kind")), 2 + 32 + 4 + 4, true},
		{"a number counts its most", index(table.GSI, "g", "KEYS_ONLY", keyOf("company", "at:N")), 2 + 32 + 7 + 30 + 2 + table.MaxNumberBytes, true},
		{"INCLUDE of a number", include("score"), 71 + 5 + table.MaxNumberBytes, true},
		{"INCLUDE that names a key again", include("company"), 71, true},
		{"INCLUDE of an unsized string is under the item", include("note"), 2000, false},
		{"INCLUDE of an undeclared attribute", include("elsewhere"), 2000, false},
	} {
		tb := onDemand([]*table.Index{c.ix}, e)
		if got, known := table.EntrySize(tb, c.ix, e); got != c.want || known != c.known {
			t.Errorf("%s: %d, known %v; want %d, %v", c.id, got, known, c.want, c.known)
		}
	}
	if n, known := table.EntrySize(onDemand(nil), include("note"), entity("U", 1, 0)); n != 0 || known {
		t.Errorf("no item size: %d, known %v; want 0, false", n, known)
	}
	if n, known := table.ItemBytes(e); n != 2000 || !known {
		t.Errorf("item: %d, known %v", n, known)
	}
}

func TestEnters(t *testing.T) {
	gsi := index(table.GSI, "byA", "ALL", keyOf("a"))
	alone := entity("Alone", 1, 100)
	if in, known := table.Enters(onDemand([]*table.Index{gsi}, alone), gsi, alone); !in || !known {
		t.Errorf("the only entity: in %v, known %v; want it in", in, known)
	}
	gsi.Sparse = val(true)
	if _, known := table.Enters(onDemand([]*table.Index{gsi}, alone), gsi, alone); known {
		t.Error("the only entity of a sparse index: known, want not")
	}
	gsi.Sparse = source.Value[bool]{}
	counted, other := entity("Counted", 1, 100), entity("Other", 1, 100)
	counted.Distinct = []table.Stat{{Attribute: "a", N: val(7.0)}}
	tb := onDemand([]*table.Index{gsi}, counted, other)
	if in, known := table.Enters(tb, gsi, counted); !in || !known {
		t.Error("distinct values of the key: want it in")
	}
	if in, known := table.Enters(tb, gsi, other); in || !known {
		t.Error("no word of the key that another entity has: want it out")
	}
	tb.Patterns.Items = []*table.Pattern{{Entity: val("Other"), Index: val("byA")}}
	if in, known := table.Enters(tb, gsi, other); !in || !known {
		t.Error("read from the index by a pattern: want it in")
	}
	unclear := onDemand([]*table.Index{gsi}, entity("X", 1, 100), other)
	if _, known := table.Enters(unclear, gsi, other); known {
		t.Error("no entity has the key: known, want not")
	}
}

// Why carries the arithmetic.
func TestConsumeWhy(t *testing.T) {
	gsi := index(table.GSI, "byA", "ALL", keyOf("a"))
	tb := onDemand([]*table.Index{gsi}, entity("E", 1, 600))
	for _, c := range []struct {
		r    plan.Result
		want string
	}{
		{served(tb, table.Query, "E", 1, reading(nil, 25, 15_000)), "25 items × 600 B = 15,000 B → 16 KB, eventual: 2 units"},
		{served(tb, table.Scan, "E", 1, reading(nil, 4096, 4<<20)), "4,096 items × 1,024 B = 4,194,304 B in pages of 1,024 items, eventual: 512 units"},
		{served(tb, table.Query, "E", 1, reading(nil, 100, 60_000), func(r *plan.Result) { r.Access.Queries = 10 }), "100 items × 600 B = 60,000 B in 10 queries → 8 KB each, eventual: 10 units"},
		{served(tb, table.GetItem, "E", 1, strong), "1 item of 600 B → 4 KB, strong: 1 unit"},
		{served(tb, table.PutItem, "E", 1), `index "byA": 1 entry of 600 B → 1 KB, added: 1 unit`},
		{served(tb, table.TransactWriteItems, "E", 1, returns(3)), "3 items of 600 B → 1 KB each, doubled in a transaction: 6 units"},
	} {
		u := Consume(tb, &c.r)
		if !slices.ContainsFunc(u.Parts, func(p Part) bool { return p.Why == c.want }) {
			t.Errorf("want %q in %+v", c.want, u.Parts)
		}
	}
}
