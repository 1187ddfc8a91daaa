package rules_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ddbvet/rules"
)

// severities is the worst severity of each rule of the family.
func severities(res rules.Result) map[string]rules.Severity {
	out := map[string]rules.Severity{}
	for _, f := range res.Findings {
		out[f.Rule.ID] = max(out[f.Rule.ID], f.Severity)
	}
	return out
}

// TestSeverityRisesWithTheRate: raising a declared rate never lowers the
// severity of any rule of the family, whatever the key, the share and the size.
func TestSeverityRisesWithTheRate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := rapid.SampledFrom([]string{"LOG", "LOG#{date}", "{status}", "{tenant}", "T#{0..3}", "{tenant}#{date}", "{kind}#{0..1}"}).Draw(rt, "key")
		values := rapid.SampledFrom([]string{
			"", "distinct = { status = 3, tenant = 5_000, kind = 4 }",
			"distinct = { status = 3, tenant = 5_000, kind = 4 }\nbusiest = { status = 0.7, tenant = 0.3, kind = 0.5 }",
			"busiest = { tenant = 0.9 }",
		}).Draw(rt, "values")
		size := rapid.IntRange(1, 5000).Draw(rt, "size")
		reads := rapid.Float64Range(0, 20000).Draw(rt, "reads")
		low := rapid.Float64Range(0, 5000).Draw(rt, "low")
		high := low + rapid.Float64Range(0, 5000).Draw(rt, "more")
		input := func(rate float64) string {
			return design(fmt.Sprintf(`partition_key = "PK:S"
sort_key = "SK:S"
[[table.gsi]]
name = "GSI1"
partition_key = "GSI1PK:S"
projection = "all"
[[table.entity]]
name = "Log"
key = { PK = %q, SK = "{at}", GSI1PK = %q }
count = 5_000_000
item_size = "%dB"
%s
[[access_pattern]]
name = "put"
table = "Tbl"
operation = "PutItem"
entity = "Log"
rate = %f
[[access_pattern]]
name = "list"
table = "Tbl"
operation = "Query"
entity = "Log"
key = "PK = :p"
values = { ":p" = %q }
returns = 3
consistent = true
rate = %f
[[access_pattern]]
name = "all"
table = "Tbl"
operation = "Scan"
entity = "Log"
rate = %f
`, key, key, size, values, rate, key, reads, rate/1000))
		}
		before, _ := loadAndRun(t, input(low), nil)
		after, _ := loadAndRun(t, input(high), nil)
		a, b := severities(before), severities(after)
		for _, id := range family {
			if b[id] < a[id] {
				rt.Fatalf("%s falls from %s at %f/s to %s at %f/s", id, a[id], low, b[id], high)
			}
		}
	})
}

// TestUnknownRateIsNotANote: taking the rate away never makes a fault smaller
// than a warning where the key is known to be narrow.
func TestUnknownRateIsNotANote(t *testing.T) {
	for _, c := range []struct{ rule, key, values string }{
		{"key-constant", "LOG", ""}, {"key-time-bucket", "LOG#{date}", ""}, {"key-low-cardinality", "{kind}", "distinct = { kind = 7 }"},
	} {
		res, _ := loadAndRun(t, design(logTable, c.key, c.values, ""), nil)
		if got := severities(res)[c.rule]; got != rules.Warning {
			t.Errorf("%s is %s without a rate, want warning", c.rule, got)
		}
	}
}
