package plan

import (
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// sized sets count, item size and distinct values of an entity.
func sized(count float64, bytes int64, distinct ...table.Stat) func(*table.Entity) {
	return func(e *table.Entity) {
		e.Count, e.Size.P50, e.Distinct = w(count), w(bytes), distinct
	}
}

func distinct(attr string, n float64) table.Stat { return table.Stat{Attribute: attr, N: w(n)} }

func number(v source.Value[float64]) any {
	if n, ok := v.Get(); ok {
		return n
	}
	return "unknown"
}

func TestItemsAndBytesOfOneCall(t *testing.T) {
	// 40,000,000 results of 1,200 B, of 5,000 companies, 3 types and 1,000,000 users;
	// 1,000,000 users of 400 B.
	tbl := newTable("PK / SK", gsi("byCompany", "companyId / assessmentType,createdAt:N", "ALL"),
		gsi("keys", "companyId / status", "KEYS_ONLY"),
		entity("Result", sized(40e6, 1200, distinct("companyId", 5000), distinct("assessmentType", 3), distinct("userId", 1e6)),
			"PK=USER#{userId}", "SK=RESULT#{createdAt}#{resultId}"),
		entity("User", sized(1e6, 400, distinct("userId", 1e6)), "PK=USER#{userId}", "SK=PROFILE"))
	for _, c := range []struct {
		name           string
		p              *table.Pattern
		returns, keeps float64 // below 0: not declared
		items, bytes   any
	}{
		{"get", pat("GetItem", "entity=User", "key=userId = :u"), -1, -1, 1.0, 400.0},
		{"get, whatever returns says", pat("GetItem", "entity=User", "key=userId = :u"), 5, -1, 1.0, 400.0},
		{"put", pat("PutItem", "entity=Result"), -1, -1, 1.0, 1200.0},
		{"batch of 25", pat("BatchWriteItem", "entity=Result"), 25, -1, 25.0, 30000.0},
		{"batch of an unknown number", pat("BatchWriteItem", "entity=Result"), -1, -1, "unknown", "unknown"},
		{"query returns 25", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c"), 25, -1, 25.0, 30000.0},
		{"filter keeps a fifth", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c", "filter=score > :s"), 25, 0.2, 125.0, 150000.0},
		{"filter keeps nothing", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c", "filter=score > :s"), 25, 0, 8000.0, 9600000.0},
		// 40,000,000 / 5,000 and then / 3.
		{"of a company", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c"), -1, -1, 8000.0, 9600000.0},
		{"of a company and type", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c AND assessmentType = :t"), -1, -1, 40e6 / 5000 / 3, 40e6 / 5000 / 3 * 1200},
		{"by period", pat("Query", "index=byCompany", "entity=Result", "key=companyId = :c AND assessmentType = :t AND createdAt > :a"), -1, -1, "unknown", "unknown"},
		{"distinct not declared", pat("Query", "index=keys", "entity=Result", "key=companyId = :c AND #s = :s", "#s=status"), -1, -1, "unknown", "unknown"},
		{"entry size not declared", pat("Query", "index=keys", "entity=Result", "key=companyId = :c"), 10, -1, 10.0, "unknown"},
		{"results of a user", pat("Query", "entity=Result", "key=userId = :u"), -1, -1, 40.0, 48000.0},
		{"whole key", pat("Query", "entity=User", "key=PK = :p AND SK = :s"), -1, -1, 1.0, 400.0},
		// One user of 400 B and 40 or 10 results of 1,200 B.
		{"user and results", pat("Query", "entities=User,Result", "key=userId = :u"), -1, -1, 41.0, 48400.0},
		{"user and results, 11 returned", pat("Query", "entities=User,Result", "key=userId = :u"), 11, -1, 11.0, 12400.0},
		// A batch has no collection: the mean item is (40e6·1,200 + 1e6·400)/41e6.
		{"batch of two entities", pat("BatchWriteItem", "entities=User,Result"), 41, -1, 41.0, 41 * ((40e6*1200 + 1e6*400) / 41e6)},
		{"scan", pat("Scan"), 25, -1, 41e6, 40e6*1200 + 1e6*400},
		{"no entity", pat("Query", "key=PK = :p"), -1, -1, "unknown", "unknown"},
	} {
		r := Pattern(tbl, counts(c.p, c.returns, c.keeps))
		if r.State != Served {
			t.Errorf("%s: %s", c.name, summary(r))
		}
		if i, b := number(r.Evaluated), number(r.Bytes); i != c.items || b != c.bytes {
			t.Errorf("%s: %v items, %v bytes; want %v and %v", c.name, i, b, c.items, c.bytes)
		}
	}
}

func TestScanOfAnIndexCountsItsEntities(t *testing.T) {
	tbl := newTable("PK / SK", gsi("GSI1", "GSI1PK / GSI1SK", "ALL"),
		entity("A", sized(100, 1000), "PK=A#{a}", "SK=X", "GSI1PK=S#{s}", "GSI1SK={d}"),
		entity("B", sized(900, 2000), "PK=B#{b}", "SK=X"))
	r := Pattern(tbl, pat("Scan", "index=GSI1"))
	if i, b := number(r.Evaluated), number(r.Bytes); i != 100.0 || b != 100000.0 {
		t.Errorf("%v items, %v bytes; want 100 and 100000", i, b)
	}
	tbl.GSIs.Items[0].ItemCount, tbl.GSIs.Items[0].SizeBytes = w(int64(120)), w(int64(99))
	r = Pattern(tbl, pat("Scan", "index=GSI1"))
	if i, b := number(r.Evaluated), number(r.Bytes); i != 120.0 || b != 99.0 {
		t.Errorf("%v items, %v bytes; what was measured wins: 120 and 99", i, b)
	}
	tbl.Entities.Items[0].Count = source.Value[float64]{}
	r = Pattern(tbl, pat("Scan"))
	if i, b := number(r.Evaluated), number(r.Bytes); i != "unknown" || b != "unknown" {
		t.Errorf("%v items, %v bytes; a count is missing", i, b)
	}
}
