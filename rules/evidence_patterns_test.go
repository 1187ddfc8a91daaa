package rules_test

import (
	"strings"
	"testing"

	"ddbvet/rules"
)

const bookTable = `partition_key = "bookId:S"
size = "50GB"
item_count = 50_000_000
[[table.gsi]]
name = "byAuthor"
partition_key = "author:S"
sort_key = "year:N"
projection = "all"
[[table.entity]]
name = "Book"
key = { bookId = "{bookId}" }
count = 50_000_000
item_size = "1KB"
distinct = { author = 400_000 }
busiest = { author = 0.001 }
attributes = { title = { type = "S", size = "80B" } }
[[access_pattern]]
name = "books of an author"
table = "Tbl"
operation = "Scan"
entity = "Book"
filter = "author = :a"
%s
`

func TestScans(t *testing.T) {
	for _, c := range []evidenceCase{
		{name: "O13 an index serves already", input: design(bookTable, "rate = 0.0002777777777777778"), want: []want{{
			rule: "ap-scan-hot", severity: rules.Warning, known: rules.Estimated, monthly: "$598.02",
			message: `scans the whole table "Tbl": 50 GB, 6,553,600 RRU a pass \(\$0\.82\), \$598\.02 a month`,
			fix:     `existing index "byAuthor" serves it with a Query on author = `,
		}, {rule: "ap-filter-waste"}, {rule: "ap-unserved"}}},
		{name: "O13 as a batch job", input: design(bookTable, "rate = 0.0002777777777777778\npath = \"batch\"\nkeeps = 0.9"), want: []want{{
			rule: "ap-scan-hot", severity: rules.Note, monthly: "$598.02", fix: `byAuthor`,
		}}},
		{name: "O13 rate not known", input: design(bookTable, ""), want: []want{{rule: "ap-scan-hot", severity: rules.Warning, message: `6,553,600 RRU a pass \(\$0\.82\); its rate is not known`, monthly: "unknown"}}},
		{name: "ten a minute", input: design(bookTable, "rate = 0.1666"), want: []want{{rule: "ap-scan-hot", severity: rules.Error, message: `at its peak 1,091,829\.76 RCU/s, over the table's read maximum of 20,000`}}},
		{name: "a peak that a partition could not serve and a table can", input: design(strings.NewReplacer(`"50GB"`, `"100MB"`, "50_000_000", "102_400").Replace(bookTable), "rate = 1"), want: []want{{
			rule: "ap-scan-hot", severity: rules.Warning, message: `12,800 RRU a pass .*; at its peak 12,800 RCU/s$`,
		}, {rule: "key-skew-declared"}}},
		{name: "over the default quota", input: strings.Replace(design(bookTable, "rate = 0.1666"), "max_read = 20_000\n", "", 1), want: []want{{
			rule: "ap-scan-hot", severity: rules.Error, message: `at its peak 1,091,829\.76 RCU/s, over the table's default quota of 40,000$`,
		}}},
		{name: "over the maximum that the table sets itself", input: strings.Replace(design(strings.NewReplacer(`"50GB"`, `"100MB"`, "50_000_000", "102_400").Replace(bookTable), "rate = 1"), "max_read = 20_000", "max_read = 9_000", 1), want: []want{{
			rule: "ap-scan-hot", severity: rules.Error, message: `at its peak 12,800 RCU/s, over the table's read maximum of 9,000`,
		}}},
		{name: "over the capacity of a provisioned table", input: strings.NewReplacer("billing = \"on-demand\"", "billing = \"provisioned\"\nread_capacity = 1_000\nwrite_capacity = 10", "max_read = 20_000\nmax_write = 20_000\n", "").Replace(
			design(strings.NewReplacer(`"50GB"`, `"100MB"`, "50_000_000", "102_400", "projection = \"all\"", "projection = \"all\"\nread_capacity = 10\nwrite_capacity = 10").Replace(bookTable), "rate = 1")), want: []want{{
			rule: "ap-scan-hot", severity: rules.Error, message: `12,800 read units a pass, .*at its peak 12,800 RCU/s, over the table's read capacity of 1,000`,
		}}},
		{name: "a batch job that no key serves", input: design(strings.Replace(bookTable, "author = :a", "title = :a", 1), "path = \"batch\"\nkeeps = 0.9\nrate = 0.0001"), want: []want{{rule: "ap-scan-hot"}}},
		{name: "rate zero", input: design(bookTable, "rate = 0"), want: []want{{rule: "ap-scan-hot"}}},
		{name: "a table of one page", input: design(strings.NewReplacer(`"50GB"`, `"200KB"`, "50_000_000", "200", "400_000", "200").Replace(bookTable), "rate = 2"), want: []want{{rule: "ap-scan-hot", severity: rules.Note}, {rule: "gsi-low-cardinality"}}},
	} {
		t.Run(c.name, c.check)
	}
}

const listTable = `partition_key = "listId:S"
sort_key = "itemId:S"
[[table.gsi]]
name = "byOwner"
partition_key = "ownerRef:S"
projection = "all"
[[table.entity]]
name = "Item"
key = { listId = "{listId}", itemId = "{itemId}" }
count = 20_000_000
item_size = "1KB"
distinct = { listId = 20_000, ownerRef = 9_000 }
busiest = { listId = 0.001, ownerRef = 0.001 }
attributes = { done = "BOOL", caption = { type = "S", size = "900B" } }
[[access_pattern]]
name = "read"
table = "Tbl"
entity = "Item"
%s
`

func TestReads(t *testing.T) {
	q := `operation = "Query"
key = "listId = :l"
`
	for _, c := range []evidenceCase{
		{name: "O12 list products, 800/s", input: design(listTable, q+"returns = 4\nconsistent = true\nrate = 800"), want: []want{{
			// 4 KB: 1 unit strong, half eventual; 0.5 × 800 × 2,628,000 s × $0.125/M = $131.40
			rule: "ap-strong-default", severity: rules.Warning, monthly: "$131.40", message: `states no reason; an eventual read costs half: 1 read units a call, 0.5 eventual; saves \$131\.40 a month`,
		}}},
		{name: "O12 with a reason", input: design(listTable, q+"returns = 4\nconsistent = true\nreason = \"read-your-write\"\nrate = 800"), want: []want{{rule: "ap-strong-default"}}},
		{name: "O12 on a gsi", input: design(listTable, "operation = \"Query\"\nindex = \"byOwner\"\nkey = \"ownerRef = :o\"\nreturns = 4\nconsistent = true\nreason = \"wanted\"\nrate = 8"), want: []want{
			{rule: "ap-strong-on-gsi", severity: rules.Error, known: rules.Proven, message: `is refused: `}, {rule: "ap-strong-default"}, {rule: "ap-unserved"},
		}},
		{name: "O14 a filter keeps 100 of 1,000", input: design(listTable, q+"filter = \"done = :d\"\nkeeps = 0.1\nreturns = 100\nrate = 10"), want: []want{{
			// 1,000 × 1 KB = 125 units eventual, 12.5 for the 100: 112.5 × 10 × 2,628,000 × $0.125/M = $369.56
			rule: "ap-filter-waste", severity: rules.Warning, monthly: "$369.56", message: `keeps 10 % of the items read \(under 50 %\): 125 read units a call, 12.5 for what is kept`,
		}, {rule: "ap-page-1mb", severity: rules.Warning, message: `reads 1,000 KB a call`}}},
		{name: "a filter of unknown effect", input: design(listTable, q+"filter = \"done = :d\"\nrate = 10"), want: []want{{rule: "ap-filter-waste", skipped: true}, {rule: "ap-page-1mb", severity: rules.Warning}}},
		{name: "a filter that keeps most", input: design(listTable, q+"filter = \"done = :d\"\nkeeps = 0.6\nreturns = 6\nrate = 10"), want: []want{{rule: "ap-filter-waste"}}},
		{name: "a filter over one unit", input: design(listTable, q+"filter = \"done = :d\"\nkeeps = 0.25\nreturns = 1\nrate = 10"), want: []want{{rule: "ap-filter-waste"}}},
		{name: "a filter on the sort key", input: design(listTable, q+"filter = \"itemId = :d\"\nkeeps = 0.6\nreturns = 6\nrate = 10"), want: []want{
			{rule: "ap-filter-on-key", severity: rules.Error, message: `"itemId"`}, {rule: "ap-unserved"},
		}},
		{name: "GetItem on an index", input: design(listTable, "operation = \"GetItem\"\nindex = \"byOwner\"\nkey = \"ownerRef = :o\"\nrate = 8"), want: []want{
			{rule: "ap-getitem-on-index", severity: rules.Error}, {rule: "ap-unserved"},
		}},
		{name: "a page of 1 MB", input: design(listTable, q+"returns = 2000\nrate = 1"), want: []want{{
			rule: "ap-page-1mb", severity: rules.Warning, message: `reads 2 MB a call \(a page is 1 MB\), 2 round trips`,
		}}},
		{name: "just under 0.9 MB", input: design(listTable, q+"returns = 921\nrate = 1"), want: []want{{rule: "ap-page-1mb"}}},
		{name: "items per call not declared", input: design(strings.Replace(listTable, "item_size = \"1KB\"\n", "", 1), q+"rate = 1"), want: []want{{rule: "ap-page-1mb", skipped: true}}},
		{name: "no key condition written down", input: design(listTable, "operation = \"Query\"\nrate = 1"), want: []want{{rule: "ap-unserved", skipped: true}}},
		{name: "a filter and no key", input: design(listTable, "operation = \"Query\"\nfilter = \"caption = :c\"\nkeeps = 0.9\nrate = 1"), want: []want{{rule: "ap-unserved", severity: rules.Error}}},
		{name: "unserved, with the cheapest change", input: design(listTable, "operation = \"Query\"\nkey = \"caption = :t\"\nrate = 1"), want: []want{{
			rule: "ap-unserved", severity: rules.Error, message: `"read" is not served`, fix: `Cheapest: `,
		}}},
	} {
		t.Run(c.name, c.check)
	}
}

const resultTable = `partition_key = "resultId:S"
[[table.gsi]]
name = "byCompany"
partition_key = %s
sort_key = ["assessmentType:S", "outcome:S", "createdAt:N"]
projection = "keys-only"
[[table.entity]]
name = "Result"
key = { resultId = "{resultId}" }
count = 40_000_000
item_size = "1.2KB"
distinct = { companyId = 5_000, region = 30, assessmentType = 3, outcome = 2 }
busiest = { companyId = 0.001 }
attributes = { score = "N", answers = { type = "M", size = "900B" } }
[[access_pattern]]
name = "results"
table = "Tbl"
index = "byCompany"
operation = "Query"
entity = "Result"
key = "%s"
%s
returns = 5
rate = 3
`

func TestMultiAttributeKeys(t *testing.T) {
	one, two := `"companyId:S"`, `["companyId:S", "region:S"]`
	keys := `needs = ["resultId"]`
	for _, c := range []evidenceCase{
		{name: "2c exact", input: design(resultTable, one, "companyId = :c AND assessmentType = :t AND outcome = :s AND createdAt BETWEEN :a AND :b", keys)},
		{name: "2c company only", input: design(resultTable, one, "companyId = :c", keys)},
		{name: "2c a gap", input: design(resultTable, one, "companyId = :c AND assessmentType = :t AND createdAt BETWEEN :a AND :b", keys), want: []want{
			{rule: "mgsi-sk-gap", severity: rules.Error, message: `"outcome"`}, {rule: "ap-unserved"},
		}},
		{name: "2d not every partition attribute", input: design(resultTable, two, "companyId = :c", keys), want: []want{
			{rule: "mgsi-pk-partial", severity: rules.Error, message: `"region"`, fix: `every partition attribute by equality`}, {rule: "ap-unserved"},
		}},
		{name: "a condition after a range", input: design(resultTable, one, "companyId = :c AND assessmentType > :t AND outcome = :s", keys), want: []want{
			{rule: "mgsi-range-not-last", severity: rules.Error}, {rule: "ap-unserved"},
		}},
		{name: "2c keys only and score is needed", input: design(resultTable, one, "companyId = :c", `needs = ["score"]`), want: []want{
			{rule: "gsi-projection-missing", severity: rules.Error, message: `"score"`}, {rule: "ap-unserved"},
		}},
	} {
		t.Run(c.name, c.check)
	}
}

const wideIndex = `partition_key = "playerId:S"
[[table.gsi]]
name = "byTeam"
partition_key = "teamId:S"
projection = "all"
[[table.entity]]
name = "Player"
key = { playerId = "{playerId}" }
%s
distinct = { teamId = 90_000 }
busiest = { teamId = 0.0001 }
attributes = { points = "N", bio = { type = "S", size = "2.8KB" } }
%s
`

// O15: 10 M writes a month of 730 h are 10e6/2,628,000 a second.
func TestProjectionAll(t *testing.T) {
	put := `[[access_pattern]]
name = "put"
table = "Tbl"
operation = "PutItem"
entity = "Player"
rate = 3.8051750380517504
`
	read := `[[access_pattern]]
name = "list"
table = "Tbl"
index = "byTeam"
operation = "Query"
entity = "Player"
key = "teamId = :t"
returns = 25
rate = 5
`
	for _, c := range []evidenceCase{
		{name: "O15 (a) ids only", input: design(wideIndex, "item_size = \"3KB\"", put+read+"needs = [\"playerId\"]"), want: []want{{
			rule: "gsi-projection-all", severity: rules.Warning, known: rules.Estimated, monthly: "$12.50",
			message: `projects ALL of "Player", 3 KB an entry, though its patterns need keys only: an insert takes 6 write units with ALL, 4 with KEYS_ONLY; saves \$12\.50 a month`,
			fix:     `Project KEYS_ONLY`, skipped: true,
		}}},
		{name: "O15 (b) the whole item", input: design(wideIndex, "item_size = \"3KB\"", put+read), want: []want{{rule: "gsi-projection-all"}}},
		{name: "O15 one attribute, its size is bounded", input: design(wideIndex, "item_size = \"3KB\"", put+read+"needs = [\"points\"]"), want: []want{{
			rule: "gsi-projection-all", severity: rules.Warning, fix: `Project INCLUDE of "points"`, message: `need only "points" beside the keys`,
		}}},
		{name: "O15 most of the item", input: design(wideIndex, "item_size = \"3KB\"", put+read+"needs = [\"bio\"]"), want: []want{{rule: "gsi-projection-all"}}},
		{name: "O15 no patterns: a note with the numbers", input: design(wideIndex, "item_size = \"3KB\"", ""), want: []want{
			{rule: "gsi-projection-all", severity: rules.Note, message: `6 write units with ALL, 4 with KEYS_ONLY`}, {rule: "gsi-low-cardinality"},
		}},
		{name: "O15 with storage", input: design(wideIndex, "item_size = \"3KB\"\ncount = 10_800_000", put+read+"needs = [\"playerId\"]"), want: []want{{
			// 3,072 B less an entry of 86 B (8+36+6+36): 2,986 × 10,800,000 / 2^30 × $0.25 = $7.51
			rule: "gsi-projection-all", severity: rules.Warning, monthly: "$20.01",
		}}},
		{name: "entries up to 1 KB", input: design(strings.Replace(wideIndex, "2.8KB", "0.8KB", 1), "item_size = \"1KB\"", put+read+"needs = [\"playerId\"]"), want: []want{{rule: "gsi-projection-all"}}},
		{name: "a filter needs its attribute too", input: design(wideIndex, "item_size = \"3KB\"", put+read+"needs = [\"playerId\"]\nfilter = \"points > :r\"\nkeeps = 0.9"), want: []want{{
			rule: "gsi-projection-all", severity: rules.Warning, fix: `INCLUDE of "points"`,
		}}},
		{name: "attribute of unknown size", input: design(wideIndex, "item_size = \"3KB\"", put+read+"needs = [\"motto\"]"), want: []want{{
			rule: "gsi-projection-all", severity: rules.Note, message: `cannot be quantified without the sizes of "motto"`, skipped: true,
		}}},
		{name: "a read replica", input: design(strings.Replace(wideIndex, `"all"`, "\"all\"\nread_replica = true", 1), "item_size = \"3KB\"", put+read+"needs = [\"playerId\"]"), want: []want{{rule: "gsi-projection-all"}}},
		{name: "worth a few cents", input: design(wideIndex, "item_size = \"3KB\"\ncount = 1000", strings.Replace(put, "3.8051750380517504", "0.01", 1)+read+"needs = [\"playerId\"]"), want: []want{{rule: "gsi-projection-all", severity: rules.Note}}},
	} {
		t.Run(c.name, c.check)
	}
}
