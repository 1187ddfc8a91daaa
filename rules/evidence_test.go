package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"ddbvet/internal/table"
	"ddbvet/rules"
)

// A wanted finding of one rule; zero severity means that the rule is silent,
// and skipped that it must say what it lacks.
type want struct {
	rule     string
	severity rules.Severity
	message  string // regexp
	fix      string // regexp
	known    rules.Known
	monthly  string // "$12.50"; "" is not checked
	skipped  bool
}

type evidenceCase struct {
	name   string
	input  string
	want   []want
	change func(*table.Table)
}

// family is the rules that judge by evidence of load, sizes and patterns.
var family = strings.Fields(`
	key-low-cardinality key-boolean-or-status key-constant key-time-bucket key-time-bucket-gsi key-skew-declared
	key-hot-single-item key-shards-too-few gsi-low-cardinality gsi-hot-write gsi-projection-all gsi-projection-missing
	mgsi-pk-partial mgsi-sk-gap mgsi-range-not-last ap-unserved ap-scan-hot ap-filter-waste ap-filter-on-key
	ap-strong-default ap-strong-on-gsi ap-getitem-on-index ap-page-1mb item-over-400kb item-near-400kb item-large
	item-unbounded-list item-write-boundary item-read-boundary`)

// check runs all rules on a design and compares the findings of the rules
// that the case names; another of the family at warning or above is an error.
func (c evidenceCase) check(t *testing.T) {
	t.Helper()
	res, tables := loadAndRun(t, c.input, c.change)
	if len(tables) == 0 {
		t.Fatal("no table was read")
	}
	used := map[*rules.Finding]bool{}
	for _, w := range c.want {
		found := 0
		for i := range res.Findings {
			f := &res.Findings[i]
			if f.Rule.ID != w.rule {
				continue
			}
			found++
			used[f] = true
			w.compare(t, f)
		}
		if w.severity != 0 && found != 1 {
			t.Errorf("%d findings of %s, want 1", found, w.rule)
		}
		if w.skipped && !slices.ContainsFunc(res.Skips, func(s rules.Skip) bool { return s.Rule.ID == w.rule }) {
			t.Errorf("%s did not say what it lacks", w.rule)
		}
	}
	for i := range res.Findings {
		if f := &res.Findings[i]; !used[f] && f.Severity >= rules.Warning && slices.Contains(family, f.Rule.ID) {
			t.Errorf("another finding: %s", show(*f))
		}
	}
}

// compare reports how a finding of the named rule differs from what is wanted.
func (w want) compare(t *testing.T, f *rules.Finding) {
	t.Helper()
	if w.severity == 0 {
		t.Errorf("%s should be silent: %s", w.rule, show(*f))
		return
	}
	if f.Severity != w.severity {
		t.Errorf("severity is %s, want %s: %s", f.Severity, w.severity, show(*f))
	}
	if !regexp.MustCompile(w.message).MatchString(f.Message) || !regexp.MustCompile(w.fix).MatchString(f.Fix) {
		t.Errorf("want message %q and fix %q: %s", w.message, w.fix, show(*f))
	}
	if w.known != "" && f.Known != w.known {
		t.Errorf("known is %s, want %s: %s", f.Known, w.known, show(*f))
	}
	if w.monthly != "" && f.Monthly.String() != w.monthly {
		t.Errorf("monthly is %s, want %s: %s", f.Monthly, w.monthly, show(*f))
	}
	if f.Severity < rules.Note || f.At.File == nil || !f.At.Start.Known() {
		t.Errorf("no place: %s", show(*f))
	}
}

// head begins every design of the tests: settings that no rule finds fault with.
const head = `schema = 1
region = "us-east-1"
[[table]]
name = "Tbl"
billing = "on-demand"
pitr = true
deletion_protection = true
max_read = 20_000
max_write = 20_000
tags = { owner = "team" }
`

// design completes head; places of %s take the arguments in order.
func design(body string, args ...string) string {
	for _, a := range args {
		body = strings.Replace(body, "%s", a, 1)
	}
	return head + body
}

const statusIndex = `partition_key = "txid:S"
[[table.gsi]]
name = "status-index"
partition_key = "status:S"
projection = "all"
[[table.entity]]
name = "Deposit"
key = { txid = "{txid}" }
count = 1_000_000
item_size = "600B"
%s
attributes = { status = { type = "S", size = "9B" } }
[[access_pattern]]
name = "put deposit"
table = "Tbl"
operation = "PutItem"
entity = "Deposit"
%s
`

func TestIndexOfFewValues(t *testing.T) {
	for _, c := range []evidenceCase{
		{name: "O01 1,500/s, busiest not declared", input: design(statusIndex, "distinct = { status = 3 }", "rate = 1500"), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Error, known: rules.Estimated,
			message: `"status-index".*"status" has 3 values.*new items all start at one value.*1,500 WCU/s.*limit 1,000 WCU/s.*push back on writes to the base table "Tbl"`,
			fix:     `shard suffix \(2 shards.*sparse index.*status and bucket`,
		}}},
		{name: "O01 1,500/s, busiest declared", input: design(statusIndex, "distinct = { status = 3 }\nbusiest = { status = 1.0 }", "rate = 1500"), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Error, message: `the busiest value takes 100 % of the traffic: a peak of 1,500 WCU/s`,
		}}},
		{name: "O01 5/s", input: design(statusIndex, "distinct = { status = 3 }", "rate = 5"), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Note, message: `a peak of 5 WCU/s meets one key value \(limit 1,000 WCU/s`,
			fix: `^Nothing to do at this load\. Should it come near the limit, spread the index key: a shard suffix \(2 shards.*sparse index`,
		}}},
		{name: "O01 5/s, sparse already", input: strings.Replace(design(statusIndex, "distinct = { status = 3 }", "rate = 5"), "projection = \"all\"", "projection = \"all\"\nsparse = true", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Note, fix: `shard suffix \(2 shards, read with as many queries\), or a composite key`,
		}}},
		{name: "O01 unknown rate", input: design(statusIndex, "distinct = { status = 3 }", ""), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Warning, message: `write rate is not known; one key value serves at most 1,000 WCU/s and 3,000 RCU/s`,
		}}},
		{name: "O01 5/s, item size not declared", input: strings.Replace(design(statusIndex, "distinct = { status = 3 }", "rate = 5"), "item_size = \"600B\"\n", "", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Note, message: `at least 5 WCU/s.*what each call writes is not known`,
		}}},
		{name: "O01 200/s, item size not declared", input: strings.Replace(design(statusIndex, "distinct = { status = 3 }", "rate = 200"), "item_size = \"600B\"\n", "", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Warning, message: `at least 200 WCU/s`,
		}}},
		{name: "O01 1,500/s, item size not declared", input: strings.Replace(design(statusIndex, "distinct = { status = 3 }", "rate = 1500"), "item_size = \"600B\"\n", "", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Error, message: `at least 1,500 WCU/s`,
		}}},
		{name: "a sparse index: how many puts reach it is not known", input: strings.Replace(design(statusIndex, "distinct = { status = 3 }", "rate = 1500"), "attributes = { status = { type = \"S\", size = \"9B\" } }", "attributes = { status = { type = \"S\", size = \"9B\", optional = true } }", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Warning, message: `what each call writes is not known`,
		}}},
		{name: "an update of what is not known may write nothing", input: strings.Replace(strings.Replace(design(statusIndex, "distinct = { kind = 3 }", "rate = 1500"), "status:S", "kind:S", 1), "\"PutItem\"", "\"UpdateItem\"\nkey = \"txid = :t\"", 1), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Warning, message: `: 500 calls/s may write one key value \(limit 1,000 WCU/s a partition\); what each call writes is not known`,
		}}},
		{name: "an even spread is a lower bound", input: strings.ReplaceAll(design(statusIndex, "distinct = { kind = 3 }", "rate = 1500"), "status", "kind"), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Warning, message: `an even spread over 3 values is assumed and the busiest takes more: a peak of 500 WCU/s`,
		}}},
		{name: "many values", input: strings.ReplaceAll(design(statusIndex, "distinct = { owner = 300_000 }\nbusiest = { owner = 0.001 }", "rate = 1500"), "status", "owner"), want: []want{
			{rule: "gsi-low-cardinality"}, {rule: "gsi-hot-write"},
		}},
		{name: "many values, one busy", input: strings.ReplaceAll(design(statusIndex, "distinct = { owner = 300_000 }\nbusiest = { owner = 0.8 }", "rate = 1500"), "status", "owner"), want: []want{
			{rule: "gsi-low-cardinality"},
			{rule: "gsi-hot-write", severity: rules.Error, message: `the busiest value takes 80 % .* a peak of 1,200 WCU/s .*limit 1,000.*push back`, fix: `2 shards`},
		}},
		{name: "values not declared", input: strings.ReplaceAll(design(statusIndex, "", "rate = 1500"), "status", "owner"), want: []want{
			{rule: "gsi-low-cardinality", skipped: true}, {rule: "gsi-hot-write", skipped: true},
		}},
		{name: "values not declared, a harmless load", input: strings.ReplaceAll(design(statusIndex, "", "rate = 50"), "status", "owner"), want: []want{
			{rule: "gsi-low-cardinality"}, {rule: "gsi-hot-write"},
		}},
		{name: "name only", input: design("partition_key = \"txid:S\"\n[[table.gsi]]\nname = \"byState\"\npartition_key = \"status:S\"\nprojection = \"keys-only\"\n"), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Note, known: rules.Heuristic, message: `"status" is named like a flag`, skipped: true,
		}}},
		{name: "O02 on-demand, one topic, 2,000/s", input: design(`partition_key = "messageId:S"
[[table.gsi]]
name = "Outstanding"
partition_key = "Topic:S"
sort_key = "CreatedTime:N"
projection = "all"
[[table.entity]]
name = "Message"
key = { messageId = "{messageId}" }
count = 5_000_000
item_size = "900B"
distinct = { Topic = 1 }
[[access_pattern]]
name = "outbox"
table = "Tbl"
operation = "PutItem"
entity = "Message"
rate = 2_000
`), want: []want{{
			rule: "gsi-low-cardinality", severity: rules.Error, message: `"Topic" has 1 value .*2,000 WCU/s.*limit 1,000 WCU/s.*push back`,
			fix: `shard suffix \(3 shards, read with as many queries\).*same in both capacity modes`,
		}}},
	} {
		t.Run(c.name, c.check)
	}
}

const logTable = `partition_key = "PK:S"
sort_key = "SK:S"
[[table.entity]]
name = "Log"
key = { PK = "%s", SK = "{timestamp}#{id}" }
count = 90_000_000
item_size = "700B"
%s
[[access_pattern]]
name = "append"
table = "Tbl"
operation = "PutItem"
entity = "Log"
%s
`

func TestConstantAndTimedKeys(t *testing.T) {
	profile := func(t *table.Table) {
		t.Profile = &table.Profile{Items: 500, Of: 500, Source: "sample", Keys: []table.KeyProfile{{Attribute: "PK", Distinct: 1, TopShare: 1}}}
	}
	for _, c := range []evidenceCase{
		{name: "constant, 1,600/s", input: design(logTable, "OPS_LOG", "", "rate = 1600"), want: []want{{
			rule: "key-constant", severity: rules.Error, message: `"OPS_LOG" is one value for every item of "Log": a peak of 1,600 WCU/s.*limit 1,000`, fix: `2 shards`,
		}}},
		{name: "constant, 600/s", input: design(logTable, "OPS_LOG", "", "rate = 600"), want: []want{{rule: "key-constant", severity: rules.Warning}}},
		{name: "constant, 5/s", input: design(logTable, "OPS_LOG", "", "rate = 5"), want: []want{{rule: "key-constant", severity: rules.Note}}},
		{name: "constant, unknown rate", input: design(logTable, "OPS_LOG", "", ""), want: []want{{rule: "key-constant", severity: rules.Warning, message: `1,000 WCU/s and 3,000 RCU/s`}}},
		{name: "O04 first: sampled one value, appended", input: design("partition_key = \"PK:S\"\nsort_key = \"SK:S\"\n[[access_pattern]]\nname = \"append\"\ntable = \"Tbl\"\noperation = \"PutItem\"\n"), change: profile, want: []want{{
			rule: "key-constant", severity: rules.Error, known: rules.Sampled, message: `one value on all 500 items looked at and items are appended`,
		}}},
		{name: "O04 first, by its sort key", input: design("partition_key = \"PK:S\"\nsort_key = \"createdAt:S\"\n"), change: profile, want: []want{{
			rule: "key-constant", severity: rules.Error, known: rules.Sampled,
		}}},
		{name: "sampled one value, low rate", input: design(logTable, "{kind}#{id}", "", "rate = 3"), change: profile, want: []want{{
			rule: "key-constant", severity: rules.Note, known: rules.Sampled,
		}}},
		{name: "O04 variant at 1,600/s", input: design(logTable, "OPS_LOG#{date}", "distinct = { date = 30 }", "rate = 1600"), want: []want{
			{rule: "key-time-bucket", severity: rules.Error, message: `"OPS_LOG#\{date\}" is a span of time, so the writes of one moment share one value: a peak of 1,600 WCU/s.*limit 1,000`},
			{rule: "key-low-cardinality"},
			{rule: "key-constant"},
		}},
		{name: "O04 variant at 200/s", input: design(logTable, "OPS_LOG#{yyyy-mm-dd}", "", "rate = 200"), want: []want{{rule: "key-time-bucket", severity: rules.Note}}},
		{name: "bucket that is only cleaned up", input: design(strings.Replace(logTable, "PutItem", "DeleteItem", 1), "OPS_LOG#{date}", "", "rate = 1600"), want: []want{{rule: "key-time-bucket", severity: rules.Note}}},
		{name: "bucket, unknown rate", input: design(logTable, "{hour}", "", ""), want: []want{{rule: "key-time-bucket", severity: rules.Warning}}},
		{name: "bucket of many tenants", input: design(logTable, "TENANT#{tenantId}#{month}", "distinct = { tenantId = 5_000 }\nbusiest = { tenantId = 0.001 }", "rate = 1600"), want: []want{{rule: "key-time-bucket"}, {rule: "key-skew-declared"}}},
		{name: "bucket of four levels", input: design(logTable, "{severity}#{day}", "distinct = { severity = 4 }", "rate = 1600"), want: []want{{
			rule: "key-time-bucket", severity: rules.Note, message: `share 4 values \(an even spread over 4 values is assumed.*400 WCU/s`,
		}}},
		{name: "bucket with undeclared parts", input: design(logTable, "{source}#{day}", "", "rate = 1600"), want: []want{{rule: "key-time-bucket", skipped: true}}},
		{name: "unique sequential ids", input: design("partition_key = \"orderId:N\"\n[[table.entity]]\nname = \"Order\"\nkey = { orderId = \"{orderId}\" }\ncount = 90_000_000\nitem_size = \"700B\"\n[[access_pattern]]\nname = \"put\"\ntable = \"Tbl\"\noperation = \"PutItem\"\nentity = \"Order\"\nrate = 5000\n"), want: []want{
			{rule: "key-time-bucket"}, {rule: "key-low-cardinality"}, {rule: "key-constant"}, {rule: "key-skew-declared"}, {rule: "key-boolean-or-status"},
		}},
		{name: "unique times", input: design(logTable, "{createdAt}", "", "rate = 5"), want: []want{{rule: "key-time-bucket"}}},
		{name: "a day by name only", input: design("partition_key = \"orderDate:S\"\nsort_key = \"id:S\"\n"), want: []want{{
			rule: "key-time-bucket", severity: rules.Note, known: rules.Heuristic,
		}}},
		{name: "status by name only", input: design("partition_key = \"status:S\"\nsort_key = \"id:S\"\n"), want: []want{{
			rule: "key-boolean-or-status", severity: rules.Note, known: rules.Heuristic,
		}}},
		{name: "a small reference table under one key", input: design("partition_key = \"PK:S\"\nsort_key = \"SK:S\"\n[[table.entity]]\nname = \"Country\"\nkey = { PK = \"COUNTRY\", SK = \"{code}\" }\ncount = 249\nitem_size = \"200B\"\n[[access_pattern]]\nname = \"countries\"\ntable = \"Tbl\"\noperation = \"Query\"\nentity = \"Country\"\nkey = \"PK = 'COUNTRY'\"\nreturns = 249\nrate = 2\n"), want: []want{{
			rule: "key-constant",
		}}},
	} {
		t.Run(c.name, c.check)
	}
}

func loadAndRun(t *testing.T, input string, change func(*table.Table)) (rules.Result, []*table.Table) {
	t.Helper()
	return runInput(t, "t.ddb.toml", []byte(input), change)
}
