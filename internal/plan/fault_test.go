package plan

import (
	"strings"
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// library is a table of natural keys with every kind of index.
func library() *table.Table {
	return newTable("userId / createdAt:N",
		gsi("byMail", "mail", "title"), gsi("byCity", "country,city / zip,street,houseNo:N", "ALL"), lsi("byTitle", "userId / title", "KEYS_ONLY"),
		entity("Loan", has("userId", "createdAt", "mail", "title", "price", "country", "city", "zip", "street", "houseNo")))
}

func TestEachKindOfFault(t *testing.T) {
	for _, c := range []struct {
		name    string
		p       *table.Pattern
		want    string
		message string
	}{
		{"no parse", pat("Query", "key=userId = "), "bad-expression()", "syntax error"},
		{"no such index", pat("Query", "index=byName", "key=name1 = :n"), "no-such-index()", `has no index "byName"`},
		{"not a key attribute", pat("Query", "key=userId = :u AND price = :p"), "not-key(price)", `"price" is not a key attribute of table "T"`},
		{"no partition", pat("Query", "index=byMail", "key=title = :t"), "partition-missing(mail) not-key(title)", "by equality"},
		{"partition by range", pat("Query", "key=userId > :u"), "partition-missing(userId)", "gives it by >"},
		{"one of two partition attributes", pat("Query", "index=byCity", "key=country = :c"), "partition-missing(city)", `"city"`},
		{"gap", pat("Query", "index=byCity", "key=country = :c AND city = :t AND street = :s"), "sort-gap(zip)", `"street" without "zip"`},
		{"gap of two", pat("Query", "index=byCity", "key=country = :c AND city = :t AND houseNo = :s"), "sort-gap(zip)", `"houseNo" without "zip"`},
		{"range first", pat("Query", "index=byCity", "key=country = :c AND city = :t AND begins_with(zip, :z) AND street = :s"), "range-not-last(zip)", "compared by begins_with before"},
		{"get without sort key", pat("GetItem", "key=userId = :u"), "sort-missing(createdAt)", "whole primary key"},
		{"get by range", pat("GetItem", "key=userId = :u AND createdAt > :c"), "sort-missing(createdAt)", "given by >"},
		{"batch without partition key", pat("BatchGetItem", "key=createdAt = :c"), "partition-missing(userId)", "BatchGetItem"},
		{"transaction", pat("TransactGetItems", "key=userId = :u"), "sort-missing(createdAt)", "TransactGetItems"},
		{"delete", pat("DeleteItem", "key=userId = :u"), "sort-missing(createdAt)", "DeleteItem"},
		{"get with more", pat("GetItem", "key=userId = :u AND createdAt = :c AND price = :p"), "not-key(price)", "not a key attribute"},
		{"range without sort key", pat("Query", "index=byMail", "key=mail = :m AND title > :t"), "sort-missing(title)", "no sort key"},
		{"order without sort key", pat("Query", "index=byMail", "needs=title", "key=mail = :m", "order=newest-first"), "sort-missing()", "no sort key"},
		{"filter on the sort key", pat("Query", "key=userId = :u", "filter=price > :p AND createdAt > :c"), "filter-on-key(createdAt)", "may name none"},
		{"filter on an index key", pat("Query", "index=byMail", "needs=title", "key=mail = :m", "filter=attribute_exists(mail)"), "filter-on-key(mail)", `"byMail"`},
		{"strong on a GSI", pat("Query", "index=byMail", "needs=title", "key=mail = :m", "strong"), "strong-on-gsi()", "cannot be read strongly"},
		{"strong scan of a GSI", pat("Scan", "index=byCity", "strong"), "strong-on-gsi()", ""},
		{"get on an index", pat("GetItem", "index=byMail", "key=userId = :u AND createdAt = :c"), "get-on-index()", "byMail"},
		{"not projected", pat("Query", "index=byMail", "needs=title,price", "key=mail = :m"), "not-projected(price)", `projects INCLUDE and lacks "price"`},
		{"filter on what is not projected", pat("Query", "index=byMail", "needs=title", "key=mail = :m", "filter=price > :p"), "not-projected(price)", ""},
		{"nested need", pat("Query", "index=byMail", "needs=price.net", "key=mail = :m"), "not-projected(price)", ""},
		{"begins_with on a number", pat("Query", "key=userId = :u AND begins_with(createdAt, :c)"), "type-mismatch(createdAt)", "type N"},
		{"text for a number", pat("Query", `key=userId = :u AND createdAt > "June"`), "type-mismatch(createdAt)", `"June" is not a number`},
		{"text in a get", pat("GetItem", `key=userId = :u AND createdAt = :c`, ":c=JUNE#{day}"), "type-mismatch(createdAt)", "not a number"},
		{"order of another attribute", pat("Query", "key=userId = :u", "order=ascending", "by=price"), "order-mismatch(price)", "not the order of the sort key"},
		{"order of a scan", pat("Scan", "order=newest-first"), "order-mismatch()", "no order"},
		{"no key", pat("Query"), "no-key()", "declares none"},
		{"get without key", pat("GetItem"), "no-key()", "declares no key"},
		{"update without key", pat("UpdateItem"), "no-key(userId)", "no entity with a template"},
		{"scan with a key", pat("Scan", "key=userId = :u"), "operation-mismatch()", "takes no key condition"},
		{"get with a filter", pat("GetItem", "key=userId = :u AND createdAt = :c", "filter=price > :p"), "operation-mismatch()", "takes no filter"},
		{"put on an index", pat("PutItem", "index=byMail"), "operation-mismatch()", "cannot name an index"},
		{"no such operation", pat("Fetch"), "operation-mismatch()", `"Fetch"`},
	} {
		r := Pattern(library(), c.p)
		want(t, c.name, summary(r), c.want)
		if r.State != Unserved || r.Access != nil || len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Message, c.message) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	r := Pattern(nil, pat("GetItem"))
	want(t, "no such table", summary(r), "no-such-table()")
}

func TestServed(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *table.Pattern
		want string
	}{
		{"literal number", pat("Query", `key=userId = :u AND createdAt >= "1700000000"`), `Query base: userId = :u AND createdAt >= "1700000000"`},
		{"scan filters on keys", pat("Scan", "filter=userId = :u"), "Scan base: "},
		{"put", pat("PutItem"), "PutItem base: "},
		{"batch write", pat("BatchWriteItem"), "BatchWriteItem base: "},
		{"write condition", pat("UpdateItem", "key=userId = :u AND createdAt = :c", "filter=attribute_exists(userId)"), "UpdateItem base: userId = :u AND createdAt = :c"},
		{"no index named, base does not serve", pat("Query", "needs=title", "key=mail = :m"), "Query byMail: mail = :m"},
		{"no index named, both serve", pat("Query", "key=userId = :u"), "Query base: userId = :u"},
		{"strong on an LSI", pat("Query", "index=byTitle", "needs=title", "key=userId = :u AND begins_with(title, :t)", "strong"), "Query byTitle: userId = :u AND begins_with(title, :t)"},
		{"order of the second sort attribute", pat("Query", "index=byCity", "key=country = :c AND city = :t AND zip = :z", "order=ascending", "by=street"), "Query byCity: country = :c AND city = :t AND zip = :z"},
		{"order of what is fixed", pat("Query", "key=userId = :u", "order=ascending", "by=userId"), "Query base: userId = :u"},
	} {
		r := Pattern(library(), c.p)
		want(t, c.name, summary(r), c.want)
	}
	e := newTable("PK / SK", entity("User", nil, "PK=USER#{userId}", "SK=PROFILE"), entity("Shop", nil, "PK=SHOP#{id}"))
	want(t, "update supplied by the entity", summary(Pattern(e, pat("UpdateItem", "entity=User"))), `UpdateItem base: PK = "USER#{userId}" AND SK = "PROFILE"`)
	want(t, "entity without sort template", summary(Pattern(e, pat("DeleteItem", "entity=Shop"))), "no-key(SK)")
}

func TestLSIFetches(t *testing.T) {
	r := Pattern(library(), pat("Query", "index=byTitle", "needs=title,price", "key=userId = :u"))
	if r.State != Served || !r.Access.Fetch || len(r.Access.Missing) != 1 || r.Access.Missing[0] != "price" {
		t.Errorf("%+v", r.Access)
	}
	r = Pattern(library(), pat("Query", "index=byTitle", "needs=title,createdAt", "key=userId = :u"))
	if r.State != Served || r.Access.Fetch {
		t.Errorf("keys of the table are always carried: %+v", r.Access)
	}
}

func TestOthers(t *testing.T) {
	r := Pattern(library(), pat("Query", "index=byMail", "key=userId = :u", "needs=title"))
	want(t, "wrong index named", summary(r), "partition-missing(mail) not-key(userId)")
	want(t, "who would serve", ways(r.Others), "base!: userId = :u; byTitle!: userId = :u")
	r = Pattern(library(), pat("GetItem", "key=mail = :m", "needs=title"))
	want(t, "get by mail", summary(r), "partition-missing(userId) sort-missing(createdAt) not-key(mail)")
	want(t, "get by mail: a Query would", ways(r.Others), "byMail!: mail = :m")
	r = Pattern(library(), pat("Query", "key=userId = :u", "filter=begins_with(title, :t)", "needs=title"))
	want(t, "filter that an index carries", ways(r.Others), "byTitle!: userId = :u AND begins_with(title, :t)")
	r = Pattern(library(), pat("GetItem", "key=userId = :u AND createdAt = :c"))
	want(t, "a served get", ways(r.Others), "")
}

func TestUnknownIsNeverAPass(t *testing.T) {
	gone := source.Unresolved[string]("!Ref X", source.Span{})
	hidden := library()
	hidden.GSIs.Items[0].Key.Elements[0].Name = gone
	want(t, "index key", summary(Pattern(hidden, pat("Query", "index=byMail", "key=mail = :m"))), `unknown: a key attribute of index "byMail" (!Ref X)`)
	want(t, "base still serves", summary(Pattern(hidden, pat("Query", "key=userId = :u"))), "Query base: userId = :u")
	want(t, "some index may serve", summary(Pattern(hidden, pat("Query", "key=mail = :m"))), `unknown: a key attribute of index "byMail" (!Ref X)`)

	more := library()
	more.GSIs.Incomplete = "!If"
	want(t, "index may exist", summary(Pattern(more, pat("Query", "index=byName", "key=a = :a"))), `unknown: the global secondary indexes of table "T" (!If)`)

	proj := library()
	proj.GSIs.Items[0].Projection = gone
	want(t, "projection", summary(Pattern(proj, pat("Query", "index=byMail", "needs=price", "key=mail = :m"))), `unknown: the projection of index "byMail" (!Ref X)`)
	want(t, "keys need no projection", summary(Pattern(proj, pat("Query", "index=byMail", "needs=userId", "key=mail = :m"))), "Query byMail: mail = :m")

	p := pat("Query", "key=userId = :u AND #c > :c")
	p.Names = []table.NameAlias{{Alias: "#c", Name: gone}}
	want(t, "name", summary(Pattern(library(), p)), "unknown: the attribute that #c stands for")
	for what, set := range map[string]func(*table.Pattern){
		"the operation (!Ref X)":     func(p *table.Pattern) { p.Operation = gone },
		"the index (!Ref X)":         func(p *table.Pattern) { p.Index = gone },
		"the key condition (!Ref X)": func(p *table.Pattern) { p.Key = gone },
		"the filter (!Ref X)":        func(p *table.Pattern) { p.Filter = gone },
		"the fan-out (!Ref X)":       func(p *table.Pattern) { p.Fanout = source.Unresolved[int64]("!Ref X", source.Span{}) },
	} {
		p := pat("Query", "key=userId = :u")
		set(p)
		want(t, what, summary(Pattern(library(), p)), "unknown: "+what)
	}
	p = pat("Query", "index=byMail", "needs=title", "key=mail = :m")
	p.Consistent = source.Unresolved[bool]("!Ref X", source.Span{})
	want(t, "consistency of a GSI", summary(Pattern(library(), p)), "unknown: the consistency (!Ref X)")
	p.Index, p.Key = source.Value[string]{}, w("userId = :u")
	want(t, "consistency of the table decides nothing", summary(Pattern(library(), p)), "Query base: userId = :u")
	p = pat("GetItem")
	p.Table = gone
	want(t, "table", summary(Pattern(nil, p)), "unknown: the table (!Ref X)")
}

func TestTableKeepsOrder(t *testing.T) {
	l := library()
	l.Patterns.Items = []*table.Pattern{pat("Scan"), pat("PutItem"), pat("Query")}
	got := Table(l)
	for i, s := range []State{Served, Served, Unserved} {
		if got[i].State != s || got[i].Pattern != l.Patterns.Items[i] || got[i].Table != l {
			t.Errorf("%d: %+v", i, got[i])
		}
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *table.Pattern
		want string
	}{
		{"natural attributes", pat("Query", "key=price = :p"), "new-gsi"},
		{"range alone needs a bucket", pat("Query", "key=price > :p"), "new-gsi(backfill)"},
		{"strong reads need the table's key", pat("Query", "key=mail = :m", "strong"), "base-key(backfill)"},
		{"another order", pat("Query", "key=userId = :u", "order=ascending", "by=price"), "new-gsi"},
		{"two ranges", pat("Query", "key=userId = :u AND zip > :a AND street > :b"), ""},
		{"a broken request", pat("Query", "key=userId = "), ""},
		{"write without its key", pat("UpdateItem", "key=mail = :m"), "base-key(backfill)"},
		{"served", pat("Query", "key=userId = :u"), ""},
	} {
		want(t, c.name, changeKinds(Pattern(library(), c.p).Changes), c.want)
	}
	r := Pattern(library(), pat("Query", "needs=title", "key=price = :p AND title > :t"))
	ix := r.Changes[0].Index
	want(t, "new index", ix.DisplayName()+": "+names(newView(library(), ix).key()), "byPriceTitle: price, title")
	if !source.Is(ix.Projection, table.ProjectionKeysOnly) {
		t.Errorf("all that is needed is a key: %+v", ix.Projection)
	}
}
