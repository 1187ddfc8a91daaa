package plan

import (
	"strings"
	"testing"

	"ddbvet/internal/table"
)

// shop is the first worked design: one table, one overloaded index.
func shop() *table.Table {
	return newTable("PK / SK", gsi("GSI1", "GSI1PK / GSI1SK", "ALL"),
		entity("User", has("userId", "email"), "PK=USER#{userId}", "SK=PROFILE"),
		entity("Order", has("userId", "orderId", "status", "orderDate", "total"),
			"PK=USER#{userId}", "SK=ORDER#{orderId}", "GSI1PK=STATUS#{status}", "GSI1SK={orderDate}"),
		entity("OrderLine", has("orderId", "sku", "quantity"), "PK=ORDER#{orderId}", "SK=ITEM#{sku}"),
		entity("Product", has("sku", "category", "name"),
			"PK=PRODUCT#{sku}", "SK=DETAIL", "GSI1PK=CATEGORY#{category}", "GSI1SK={name}"))
}

func TestShopPatternsAreServed(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *table.Pattern
		want string
	}{
		{
			"profile by user", pat("GetItem", "entity=User", "key=PK = :pk AND SK = :sk", ":pk=USER#{userId}", ":sk=PROFILE"),
			`GetItem base: PK = "USER#{userId}" AND SK = "PROFILE"`,
		},
		{
			"profile by user, natural", pat("GetItem", "entity=User", "key=userId = :u"),
			`GetItem base: PK = "USER#{userId}" AND SK = "PROFILE"`,
		},
		{
			"orders of a user", pat("Query", "entity=Order", `key=PK = :pk AND begins_with(SK, "ORDER#")`, ":pk=USER#{userId}"),
			`Query base: PK = "USER#{userId}" AND begins_with(SK, "ORDER#")`,
		},
		{
			"orders of a user, no values", pat("Query", "entity=Order", `key=PK = :pk AND begins_with(SK, 'ORDER#')`),
			`Query base: PK = "USER#{userId}" AND begins_with(SK, "ORDER#")`,
		},
		{
			"orders of a user, natural", pat("Query", "entity=Order", "key=userId = :u"),
			`Query base: PK = "USER#{userId}" AND begins_with(SK, "ORDER#")`,
		},
		{
			"user and orders", pat("Query", "entities=User,Order", "key=PK = :pk", ":pk=USER#{userId}"),
			`Query base: PK = "USER#{userId}"`,
		},
		{
			"user and orders, natural", pat("Query", "entities=User,Order", "key=userId = :u"),
			`Query base: PK = "USER#{userId}"`,
		},
		{
			"lines of an order", pat("Query", "entity=OrderLine", "key=PK = :pk", ":pk=ORDER#{orderId}"),
			`Query base: PK = "ORDER#{orderId}"`,
		},
		{
			"orders by status by date", pat("Query", "index=GSI1", "entity=Order", "order=newest-first",
				"key=GSI1PK = :pk AND GSI1SK BETWEEN :from AND :to", ":pk=STATUS#{status}"),
			`Query GSI1: GSI1PK = "STATUS#{status}" AND GSI1SK BETWEEN :from AND :to`,
		},
		{
			"orders by status by date, natural, index found", pat("Query", "entity=Order", "order=newest-first", "by=orderDate",
				"key=#st = :st AND orderDate BETWEEN :from AND :to", "#st=status"),
			`Query GSI1: GSI1PK = "STATUS#{status}" AND GSI1SK BETWEEN "{:from}" AND "{:to}"`,
		},
		{
			"products of a category", pat("Query", "index=GSI1", "entity=Product", "key=GSI1PK = :pk", ":pk=CATEGORY#{category}"),
			`Query GSI1: GSI1PK = "CATEGORY#{category}"`,
		},
		{
			"no entity named", pat("Query", "key=PK = :pk", ":pk=ORDER#{orderId}"),
			`Query base: PK = "ORDER#{orderId}"`,
		},
	} {
		r := Pattern(shop(), c.p)
		want(t, c.name, summary(r), c.want)
		for _, f := range r.Faults {
			t.Log(f.Message)
		}
	}
}

func TestShopFaults(t *testing.T) {
	shipped := []string{"index=GSI1", "entity=Order", "key=GSI1PK = :s AND GSI1SK BETWEEN :a AND :b", ":s=STATUS#shipped"}
	want(t, "shipped in June, strong", summary(Pattern(shop(), pat("Query", append(shipped, "strong")...))), "strong-on-gsi()")
	want(t, "shipped in June, eventual", summary(Pattern(shop(), pat("Query", shipped...))),
		`Query GSI1: GSI1PK = "STATUS#shipped" AND GSI1SK BETWEEN :a AND :b`)

	r := Pattern(shop(), pat("Query", "entity=Order", "key=orderDay = :d"))
	want(t, "total sales by day", string(r.State), "unserved")
	want(t, "total sales by day", changeKinds(r.Changes), "overload(backfill) new-gsi(backfill)")
	if c := r.Changes[0]; c.Index.DisplayName() != "GSI1" || !strings.Contains(c.Text, `GSI1PK = "ORDERDAY#{orderDay}"`) {
		t.Errorf("overload: %s", c.Text)
	}
	r = Pattern(shop(), pat("Query", "entity=User", "key=email = :e"))
	want(t, "user by email", changeKinds(r.Changes), "overload(backfill) new-gsi")

	want(t, "entity outside the index", summary(Pattern(shop(), pat("Query", "index=GSI1", "entity=User", "key=GSI1PK = :p"))), "template-mismatch(GSI1PK)")
	want(t, "order lines under the user", summary(Pattern(shop(), pat("Query", "entity=OrderLine", "key=PK = :p", ":p=USER#{userId}"))), "template-mismatch(PK)")
	want(t, "no entity has such a key", summary(Pattern(shop(), pat("Query", "key=PK = :p", ":p=INVOICE#{id}"))), "template-mismatch(PK)")
	want(t, "prefix of no entity", summary(Pattern(shop(), pat("Query", "entity=Order", `key=PK = :p AND begins_with(SK, "LINE#")`))), "template-mismatch(SK)")
	want(t, "range beside the keys", summary(Pattern(shop(), pat("Query", "entity=Order", `key=PK = :p AND SK < "ITEM"`))), "template-mismatch(SK)")
}

// single is design 2a.
func single() *table.Table {
	return newTable("PK / SK", gsi("GSI1", "GSI1PK / GSI1SK", "ALL"),
		entity("Company", nil, "PK=COMPANY#{companyId}", "SK=#META"),
		entity("User", nil, "PK=COMPANY#{companyId}", "SK=USER#{userId}"),
		entity("Result", nil, "PK=USER#{userId}", "SK=RESULT#{createdAt}#{resultId}",
			"GSI1PK=COMPANY#{companyId}", "GSI1SK={assessmentType}#{status}#{yyyy-mm-dd}"))
}

func TestDesign2a(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *table.Pattern
		want string
	}{
		{"1 user by id alone", pat("GetItem", "entity=User", "key=userId = :u"), "partition-missing(PK)"},
		{"2 users of a company", pat("Query", "entity=User", "key=companyId = :c"), `Query base: PK = "COMPANY#{companyId}" AND begins_with(SK, "USER#")`},
		{
			"3 results of a user, newest first", pat("Query", "entity=Result", "key=userId = :u", "order=newest-first", "by=createdAt"),
			`Query base: PK = "USER#{userId}" AND begins_with(SK, "RESULT#")`,
		},
		{"3 by result id", pat("Query", "entity=Result", "key=userId = :u", "order=ascending", "by=resultId"), "order-mismatch(resultId)"},
		{
			"3 since", pat("Query", "entity=Result", "key=userId = :u AND createdAt >= :from"),
			`Query base: PK = "USER#{userId}" AND SK BETWEEN "RESULT#{:from}" AND "RESULT#~"`,
		},
		{
			"4 by month", pat("Query", "index=GSI1", "entity=Result", "key=GSI1PK = :c AND begins_with(GSI1SK, :p)",
				":c=COMPANY#{companyId}", ":p={assessmentType}#{status}#{yyyy-mm}"),
			`Query GSI1: GSI1PK = "COMPANY#{companyId}" AND begins_with(GSI1SK, "{assessmentType}#{status}#{yyyy-mm}")`,
		},
		{
			"4 by month, natural", pat("Query", "index=GSI1", "entity=Result", "#d=yyyy-mm-dd", "#st=status",
				"key=companyId = :c AND assessmentType = :t AND #st = :s AND begins_with(#d, :m)"),
			`Query GSI1: GSI1PK = "COMPANY#{companyId}" AND begins_with(GSI1SK, "{assessmentType}#{status}#{:m}")`,
		},
		{
			"type and period without status", pat("Query", "index=GSI1", "entity=Result", "#d=yyyy-mm-dd",
				"key=companyId = :c AND assessmentType = :t AND begins_with(#d, :m)"),
			"sort-gap(status)",
		},
	} {
		want(t, c.name, summary(Pattern(single(), c.p)), c.want)
	}
	r := Pattern(single(), pat("GetItem", "entity=User", "key=userId = :u"))
	if m := r.Faults[0].Message; !strings.Contains(m, `"COMPANY#{companyId}", and "companyId" is not given`) {
		t.Errorf("message: %s", m)
	}
	want(t, "an index added later needs a backfill", changeKinds(r.Changes), "overload(backfill) new-gsi(backfill) base-key(backfill)")
}

func multi() *table.Table {
	return newTable("resultId",
		gsi("byUser", "userId / createdAt:N", "ALL"), gsi("byCompany", "companyId", "ALL"),
		entity("Result", has("userId", "companyId", "assessmentType", "status", "createdAt", "score")))
}

func TestDesign2b(t *testing.T) {
	p := pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c", "#st=status",
		"filter=assessmentType = :t AND #st = :s AND createdAt BETWEEN :a AND :b")
	r := Pattern(multi(), counts(p, 25, 0.05))
	want(t, "4 with a filter", summary(r), "Query byCompany: companyId = :c")
	if r.Access.Exact {
		t.Error("a filter is needed beyond the key condition")
	}
	if n, _ := r.Evaluated.Get(); n != 500 {
		t.Errorf("evaluated %v, want 25/0.05 = 500", n)
	}
}

func native() *table.Table {
	return newTable("resultId", gsi("byCompany", "companyId / assessmentType,status,createdAt:N", "KEYS_ONLY"),
		entity("Result", has("userId", "companyId", "assessmentType", "status", "createdAt", "score"), "resultId={resultId}"))
}

func TestDesign2c(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *table.Pattern
		want string
	}{
		{
			"4 exactly", pat("Query", "index=byCompany", "#st=status", "order=newest-first", "needs=userId",
				"key=companyId = :c AND assessmentType = :t AND #st = :s AND createdAt BETWEEN :a AND :b"),
			"not-projected(userId)",
		},
		{
			"4 keys only", pat("Query", "index=byCompany", "#st=status", "order=newest-first", "by=createdAt", "needs=resultId",
				"key=companyId = :c AND assessmentType = :t AND #st = :s AND createdAt BETWEEN :a AND :b"),
			"Query byCompany: companyId = :c AND assessmentType = :t AND status = :s AND createdAt BETWEEN :a AND :b",
		},
		{"company and type, any status, by period", pat("Query", "index=byCompany", "needs=resultId", "key=companyId = :c AND assessmentType = :t AND createdAt > :a"), "sort-gap(status)"},
		{"company only", pat("Query", "index=byCompany", "needs=resultId", "key=companyId = :c"), "Query byCompany: companyId = :c"},
		{"company only by time", pat("Query", "index=byCompany", "needs=resultId", "key=companyId = :c", "order=newest-first", "by=createdAt"), "order-mismatch(createdAt)"},
		{"needs score", pat("Query", "index=byCompany", "needs=score", "key=companyId = :c"), "not-projected(score)"},
		{"needs the whole item", pat("Query", "index=byCompany", "whole", "key=companyId = :c"), "not-projected(userId)"},
	} {
		want(t, c.name, summary(Pattern(native(), c.p)), c.want)
	}
	r := Pattern(native(), pat("Query", "index=byCompany", "#st=status", "needs=resultId", "key=companyId = :c AND #st = :s AND createdAt > :a"))
	want(t, "company, status, period", summary(r), "sort-gap(assessmentType)")
	want(t, "company, status, period: a second index without backfill", changeKinds(r.Changes), "sort-order new-gsi")
	want(t, "key of the other order", names(newView(native(), r.Changes[0].Index).key()), "companyId, status, createdAt, assessmentType")
	want(t, "key of the new index", names(newView(native(), r.Changes[1].Index).key()), "companyId, status, createdAt")

	r = Pattern(native(), pat("Query", "index=byCompany", "needs=score", "key=companyId = :c"))
	want(t, "a second request brings it", ways(r.Others), "byCompany!+back: companyId = :c")
	want(t, "a new projection is a new index", changeKinds(r.Changes), "new-gsi")
}

func TestDesign2d(t *testing.T) {
	wide := newTable("resultId", gsi("byCompany", "companyId,assessmentType / status,createdAt:N", "ALL"))
	r := Pattern(wide, pat("Query", "index=byCompany", "key=companyId = :c"))
	want(t, "all results of a company", summary(r), "partition-missing(assessmentType)")
	want(t, "the rest to the sort side", changeKinds(r.Changes), "sort-order new-gsi")
	want(t, "companyId alone", keyText("companyId", []string{"assessmentType", "status", "createdAt"}), "companyId / [assessmentType, status, createdAt]")
	if !strings.Contains(r.Changes[0].Text, "companyId / [assessmentType, status, createdAt]") {
		t.Error(r.Changes[0].Text)
	}
}

func TestO03UnsuffixedKeyMatchesNothing(t *testing.T) {
	queue := newTable("PK / SK", entity("Message", nil, "PK=topic#{shard}", "SK={messageId}"))
	r := Pattern(queue, pat("Query", "entity=Message", `key=PK = "topic"`))
	want(t, "literal", summary(r), "template-mismatch(PK)")
	if !strings.Contains(r.Faults[0].Message, "matches no item") || !strings.Contains(r.Faults[0].Message, "suffix") {
		t.Error(r.Faults[0].Message)
	}
	named := newTable("PK / SK", entity("Message", nil, "PK={topic}#{shard}", "SK={messageId}"))
	want(t, "value", summary(Pattern(named, pat("Query", "entity=Message", "key=PK = :t", ":t={topic}"))), "template-mismatch(PK)")
	dashed := newTable("PK / SK", entity("Message", nil, "PK={topic}-{shard}", "SK={messageId}"))
	want(t, "any delimiter", summary(Pattern(dashed, pat("Query", "entity=Message", "key=PK = :t", ":t={topic}"))), "template-mismatch(PK)")

	p := pat("Query", "entity=Message", "key=PK = :t", ":t={topic}#{shard}")
	p.Fanout = w(int64(3))
	r = Pattern(named, p)
	want(t, "fan-out", summary(r), `Query base: PK = "{topic}#{shard}"`)
	if r.Access.Queries != 3 {
		t.Errorf("queries %v, want 3", r.Access.Queries)
	}
	p = pat("Query", "entity=Message", "key=topic = :t")
	want(t, "natural without fan-out", summary(Pattern(named, p)), "partition-missing(PK)")
	p.Fanout = w(int64(3))
	want(t, "natural with fan-out", summary(Pattern(named, p)), `Query base: PK = "{topic}#{shard}"`)
}

func TestO13ScanPointsAtTheExistingIndex(t *testing.T) {
	books := newTable("isbn", gsi("byAuthor", "author / published:N", "ALL"))
	books.SizeBytes = w(int64(50) << 30)
	r := Pattern(books, pat("Scan", "filter=author = :a"))
	want(t, "scan", summary(r), "Scan base: ")
	want(t, "others", ways(r.Others), "byAuthor!: author = :a")
	if b, _ := r.Bytes.Get(); b != 50<<30 {
		t.Errorf("bytes %v, want the whole table", b)
	}
	r = Pattern(books, pat("Scan", "filter=author = :a AND published > :y AND pages > :p"))
	want(t, "sort condition taken too", ways(r.Others), "byAuthor: author = :a AND published > :y")
	r = Pattern(books, pat("Scan", "filter=author = :a OR published > :y"))
	want(t, "OR leads to no index", ways(r.Others), "")
}

func TestO14FilterDoesNotReduceWhatIsRead(t *testing.T) {
	list := newTable("id / seen:N", entity("Row", func(e *table.Entity) { e.Size.P50 = w(int64(1024)) }))
	r := Pattern(list, counts(pat("Query", "entity=Row", "key=id = :i AND seen > :t", "filter=kind = :k"), 100, 0.1))
	n, _ := r.Evaluated.Get()
	b, _ := r.Bytes.Get()
	if n != 1000 || b != 1000*1024 {
		t.Errorf("evaluated %v items and %v B, want 1000 and 1024000", n, b)
	}
	r = Pattern(list, counts(pat("Query", "entity=Row", "key=id = :i AND seen > :t", "filter=kind = :k"), 100, -1))
	if r.Evaluated.Known() {
		t.Error("with a filter of unknown share the items read are unknown")
	}
}
