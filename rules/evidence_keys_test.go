package rules_test

import (
	"testing"

	"ddbvet/rules"
)

const shardTable = `partition_key = "PK:S"
sort_key = "SK:S"
[[table.entity]]
name = "Message"
key = { PK = "topic#{0..%s}", SK = "{sentAt}#{id}" }
count = 40_000_000
item_size = "800B"
attributes = { body = { type = "S", size = "600B" } }
[[access_pattern]]
name = "send"
table = "Tbl"
operation = "PutItem"
entity = "Message"
%s
[[access_pattern]]
name = "outstanding"
table = "Tbl"
operation = "Query"
entity = "Message"
key = "PK = :p"
values = { ":p" = "%s" }
returns = 100
rate = 1
%s
`

func TestShards(t *testing.T) {
	for _, c := range []evidenceCase{
		{name: "O03 three shards for 4,500 WCU/s", input: design(shardTable, "2", "rate = 4500", "topic#{0..2}", "fanout = 3"), want: []want{{
			rule: "key-shards-too-few", severity: rules.Error, known: rules.Estimated,
			message: `has 3 shards for a peak of 4,500 WCU/s: 1,500 WCU/s a shard \(limit 1,000.*800\); at least 5 are needed, 6 advised`,
			fix:     `Use 6 shards; a read of every shard by "outstanding" then costs 6 queries instead of 3`,
		}, {rule: "key-low-cardinality"}, {rule: "ap-unserved"}}},
		{name: "O03 the reader asks the unsuffixed key", input: design(shardTable, "5", "rate = 4500", "topic", ""), want: []want{
			{rule: "key-shards-too-few"},
			{rule: "ap-unserved", severity: rules.Error, message: `"outstanding" is not served: .*topic`},
		}},
		{name: "O03 five shards are enough but have no headroom", input: design(shardTable, "4", "rate = 4500", "topic#{0..4}", "fanout = 5"), want: []want{{
			rule: "key-shards-too-few", severity: rules.Warning, message: `900 WCU/s a shard`,
		}}},
		{name: "O03 six shards", input: design(shardTable, "5", "rate = 4500", "topic#{0..5}", "fanout = 6"), want: []want{{rule: "key-shards-too-few"}}},
		{name: "exactly 800", input: design(shardTable, "4", "rate = 4000", "topic#{0..4}", "fanout = 5"), want: []want{{rule: "key-shards-too-few"}}},
		{name: "unknown rate", input: design(shardTable, "4", "", "topic#{0..4}", "fanout = 5"), want: []want{{rule: "key-shards-too-few", skipped: true}}},
	} {
		t.Run(c.name, c.check)
	}
}

const tenantTable = `partition_key = "tenantId:S"
sort_key = "orderId:S"
[[table.entity]]
name = "Order"
key = { tenantId = "{tenantId}", orderId = "{orderId}" }
count = 40_000_000
item_size = "%s"
%s
[[access_pattern]]
name = "put"
table = "Tbl"
operation = "PutItem"
entity = "Order"
%s
[[access_pattern]]
name = "get"
table = "Tbl"
operation = "GetItem"
entity = "Order"
key = "tenantId = :t AND orderId = :o"
%s
`

func TestSkew(t *testing.T) {
	busy := "distinct = { tenantId = 5_000 }\nbusiest = { tenantId = 0.6 }"
	for _, c := range []evidenceCase{
		{name: "60 % of 2,000/s", input: design(tenantTable, "900B", busy, "rate = 2000", "rate = 10"), want: []want{{
			rule: "key-skew-declared", severity: rules.Error, message: `the busiest value takes 60 % of the traffic of "Order": a peak of 1,200 WCU/s.*limit 1,000`, fix: `2 shards.*same in both capacity modes`,
		}}},
		{name: "60 % of 900/s", input: design(tenantTable, "900B", busy, "rate = 900", "rate = 10"), want: []want{{rule: "key-skew-declared", severity: rules.Warning}}},
		{name: "60 % of 300/s", input: design(tenantTable, "900B", busy, "rate = 300", "rate = 10"), want: []want{{rule: "key-skew-declared", severity: rules.Note}}},
		{name: "60 % of 100/s", input: design(tenantTable, "900B", busy, "rate = 100", "rate = 10"), want: []want{{rule: "key-skew-declared"}}},
		{name: "designs 4: 20 KB read strongly serves 600/s", input: design(tenantTable, "20KB", busy, "rate = 1", "rate = 1000\nconsistent = true\nreason = \"money\""), want: []want{{
			rule: "key-skew-declared", severity: rules.Error, message: `a peak of 3,000 RCU/s meets one key value \(limit 3,000 RCU/s`,
		}}},
		// 0.6 × 5 units × 8,000 = 24,000 RCU/s, 2,400 a shard.
		{name: "shards for the reads", input: design(tenantTable, "20KB", busy, "rate = 1", "rate = 8000\nconsistent = true\nreason = \"money\""), want: []want{{
			rule: "key-skew-declared", severity: rules.Error, message: `a peak of 24,000 RCU/s`, fix: `#\{0\.\.9\}, and read the 10 shards`,
		}}},
		{name: "one item that everybody reads", input: design("partition_key = \"PK:S\"\n[[table.entity]]\nname = \"Page\"\nkey = { PK = \"PAGE#{slug}\" }\ncount = 10_000\nitem_size = \"20KB\"\ndistinct = { slug = 10_000 }\nbusiest = { slug = 0.5 }\n[[access_pattern]]\nname = \"page\"\ntable = \"Tbl\"\noperation = \"GetItem\"\nentity = \"Page\"\nkey = \"PK = 'PAGE#{slug}'\"\nrate = 3000\n"), want: []want{{
			rule: "key-skew-declared", severity: rules.Error, message: `3,750 RCU/s`, fix: `^Cache the reads of the busy item, or keep 2 copies of it, PAGE#\{slug\}#\{0\.\.1\}, and read one of them\.`,
		}}},
		{name: "read through a local index", input: design(tenantTable, "20KB", busy, "rate = 1", "rate = 1\n[[access_pattern]]\nname = \"by day\"\ntable = \"Tbl\"\nindex = \"byDay\"\noperation = \"Query\"\nentity = \"Order\"\nkey = \"tenantId = :t\"\nconsistent = true\nreason = \"money\"\nreturns = 1\nrate = 1_000\n[[table.lsi]]\nname = \"byDay\"\nsort_key = \"paidAt:S\"\nprojection = \"all\""), want: []want{{
			rule: "key-skew-declared", severity: rules.Error, message: `limit 3,000 RCU/s`,
		}}},
		{name: "unknown rate", input: design(tenantTable, "900B", busy, "", "rate = 10"), want: []want{{rule: "key-skew-declared", skipped: true}}},
		{name: "share not declared", input: design(tenantTable, "900B", "distinct = { tenantId = 5_000 }", "rate = 2000", "rate = 10"), want: []want{{rule: "key-skew-declared", skipped: true}}},
		{name: "share not declared, a harmless load", input: design(tenantTable, "900B", "distinct = { tenantId = 5_000 }", "rate = 90", "rate = 10"), want: []want{{rule: "key-skew-declared"}}},
		{name: "few tenants, even spread", input: design(tenantTable, "900B", "distinct = { tenantId = 20 }", "rate = 2000", "rate = 10"), want: []want{
			{rule: "key-low-cardinality", severity: rules.Note, message: `has 20 values for "Order", an even spread over 20 values.*100 WCU/s`}, {rule: "key-skew-declared"},
		}},
		{name: "few tenants, one busy", input: design(tenantTable, "900B", "distinct = { tenantId = 20 }\nbusiest = { tenantId = 0.6 }", "rate = 2000", "rate = 10"), want: []want{
			{rule: "key-low-cardinality", severity: rules.Error}, {rule: "key-skew-declared"},
		}},
		{name: "few tenants, unknown rate", input: design(tenantTable, "900B", "distinct = { tenantId = 20 }", "", ""), want: []want{
			{rule: "key-low-cardinality", severity: rules.Warning, message: "1,000 WCU/s"},
		}},
	} {
		t.Run(c.name, c.check)
	}
}

const counterTable = `partition_key = "PK:S"
sort_key = "SK:S"
[[table.entity]]
name = "Counter"
key = { PK = "COUNTER", SK = "TOTAL" }
count = 1
item_size = "%s"
attributes = { n = "N" }
[[access_pattern]]
name = "count"
table = "Tbl"
operation = "UpdateItem"
entity = "Counter"
key = "PK = 'COUNTER' AND SK = 'TOTAL'"
sets = ["n"]
%s
`

func TestSingleItem(t *testing.T) {
	for _, c := range []evidenceCase{
		{name: "1,200/s", input: design(counterTable, "100B", "rate = 1200"), want: []want{
			{rule: "key-hot-single-item", severity: rules.Error, message: `"Counter" is one item.*1,200 WCU/s.*limit 1,000`, fix: `id#0`}, {rule: "key-constant"},
		}},
		{name: "600/s", input: design(counterTable, "100B", "rate = 600"), want: []want{{rule: "key-hot-single-item", severity: rules.Warning}}},
		{name: "600/s of 2 KB", input: design(counterTable, "2KB", "rate = 600"), want: []want{{rule: "key-hot-single-item", severity: rules.Error}}},
		{name: "20/s", input: design(counterTable, "100B", "rate = 20"), want: []want{{rule: "key-hot-single-item"}, {rule: "key-constant"}}},
		{name: "unknown rate", input: design(counterTable, "100B", ""), want: []want{{rule: "key-hot-single-item", skipped: true}}},
	} {
		t.Run(c.name, c.check)
	}
}
