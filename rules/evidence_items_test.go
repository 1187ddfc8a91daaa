package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"ddbvet/internal/table"
	"ddbvet/rules"
)

const chatTable = `partition_key = "chatId:S"
[[table.entity]]
name = "Chat"
key = { chatId = "{chatId}" }
count = 1_000_000
%s
[[access_pattern]]
name = "%s"
table = "Tbl"
operation = "%s"
entity = "Chat"
%s
`

func TestItems(t *testing.T) {
	// O11: 20 attributes of 19 KB with names of 200 characters: 20 × (19,456 + 200) = 393,120 B.
	var wide []string
	for i := range 20 {
		wide = append(wide, fmt.Sprintf("a%0199d = { type = \"S\", size = \"19KB\" }", i))
	}
	put := []string{"put", "PutItem", "rate = 1"}
	item := func(lines string, pattern ...string) string { return design(chatTable, append([]string{lines}, pattern...)...) }
	app := func(size, times string) []string {
		return []string{"append message", "UpdateItem", "key = \"chatId = :c\"\nsets = [\"messages\"]\nrate = 1\nappends = { attribute = \"messages\", size = \"" + size + "\"" + times + " }"}
	}
	attrs := "attributes = { messages = \"L\", title = { type = \"S\", size = \"100B\" } }"
	for _, c := range []evidenceCase{
		{name: "O11 whole item, names included", input: item("attributes = { "+strings.Join(wide, ", ")+" }", put...), want: []want{{
			rule: "item-near-400kb", severity: rules.Warning, message: `"Chat" reach 393,120 B \(sum of its attributes\), 96 % of the limit of 409,600 B \(400 KB\); one write takes 384 WCU`,
		}, {rule: "item-over-400kb"}}},
		{name: "O11 append 2 KB × 300", input: item(attrs, app("2KB", ", times = 300")...), want: []want{{
			rule: "item-over-400kb", severity: rules.Error, message: `appends 2 KB × 300 to "messages": the item passes the limit of 409,600 B \(400 KB\) at append 200 and would reach 600\.3 KB`, fix: "Split the item.*S3",
		}}},
		{name: "O11 append 2 KB × 150", input: item(attrs+"\nitem_size = \"1KB\"", app("2KB", ", times = 150")...), want: []want{{rule: "item-over-400kb"}, {rule: "item-near-400kb"}}},
		{name: "O11 append 2 KB × 170", input: item(attrs+"\nitem_size = \"1KB\"", app("2KB", ", times = 170")...), want: []want{{rule: "item-near-400kb", severity: rules.Warning, message: `until the item has 341\.2 KB, 85\.3 %`}}},
		{name: "O11 one write of 390 KB on 5 WCU", input: strings.Replace(item("item_size = { p50 = \"1KB\", p99 = \"20KB\", max = \"390KB\" }\n"+attrs, put...), `billing = "on-demand"`, "billing = \"provisioned\"\nread_capacity = 5\nwrite_capacity = 5", 1), want: []want{{
			rule: "item-near-400kb", severity: rules.Warning, message: `one write takes 390 WCU, 26 % of the 300 s burst of 5 WCU`,
		}}},
		{name: "320 KB", input: item("item_size = { p50 = \"1KB\", p99 = \"20KB\", max = \"320KB\" }\n"+attrs, put...), want: []want{{rule: "item-near-400kb", severity: rules.Warning}}},
		{name: "319 KB", input: item("item_size = { p50 = \"1KB\", p99 = \"20KB\", max = \"319KB\" }\n"+attrs, put...), want: []want{{rule: "item-near-400kb"}}},
		{name: "401 KB", input: item("item_size = { p50 = \"1KB\", p99 = \"20KB\", max = \"401KB\" }\n"+attrs, put...), want: []want{{rule: "item-over-400kb", severity: rules.Error, message: `410,624 B \(max\)`}, {rule: "item-near-400kb"}}},
		{name: "p99 of 150 KB", input: item("item_size = { p50 = \"1KB\", p99 = \"150KB\" }\n"+attrs, put...), want: []want{{rule: "item-large", severity: rules.Warning, message: `p99 of 153,600 B \(over 100 KB\)`}}},
		{name: "p99 of 100 KB", input: item("item_size = { p50 = \"1KB\", p99 = \"100KB\" }\n"+attrs, put...), want: []want{{rule: "item-large"}}},
		{name: "sizes not declared", input: item("attributes = { title = \"S\" }", put...), want: []want{{rule: "item-over-400kb", skipped: true}, {rule: "item-near-400kb", skipped: true}, {rule: "item-large", skipped: true}}},
		{name: "sampled", input: item("item_size = \"2KB\"\n"+attrs, put...), change: func(t *table.Table) {
			t.Profile = &table.Profile{Items: 5000, Size: [4]int64{1000, 9000, 120 * 1024, 405 * 1024}}
		}, want: []want{{rule: "item-over-400kb", severity: rules.Error, known: rules.Sampled}, {rule: "item-large", severity: rules.Warning, known: rules.Sampled}}},
		{name: "unbounded", input: item("item_size = \"2KB\"\nattributes = { tags = { type = \"L\", element_size = \"99B\", unbounded = true } }", put...), want: []want{{
			rule: "item-unbounded-list", severity: rules.Warning, message: `"tags" of "Chat" grows without a stated end.*99 B an element at most 4,096 fit`,
		}}},
		{name: "appended without end", input: item("item_size = \"2KB\"\n"+attrs, app("1KB", "")...), want: []want{{rule: "item-unbounded-list", severity: rules.Warning, message: `append 398`}}},
		{name: "attributes not declared", input: item("item_size = \"2KB\"", put...), want: []want{{rule: "item-unbounded-list", skipped: true}}},
		{name: "36 B over a step", input: item("item_size = \"1060B\"\n"+attrs, "put", "PutItem", "rate = 100"), want: []want{{
			// 100/s × 2,628,000 s × $0.625/M = $164.25
			rule: "item-write-boundary", severity: rules.Note, monthly: "$164.25", message: `have 1,060 B, 36 B over a step of 1 KB: trimming 36 B saves 1 WCU`,
		}}},
		{name: "103 B over a step", input: item("item_size = \"1127B\"\n"+attrs, "put", "PutItem", "rate = 100"), want: []want{{rule: "item-write-boundary"}}},
		{name: "over a step but seldom written", input: item("item_size = \"1060B\"\n"+attrs, "put", "PutItem", "rate = 0.1"), want: []want{{rule: "item-write-boundary"}}},
		{name: "over a step, rate unknown", input: item("item_size = \"1060B\"\n"+attrs, "put", "PutItem", ""), want: []want{{rule: "item-write-boundary", skipped: true}}},
		{name: "sizes that vary", input: item("item_size = { p50 = \"1060B\", p99 = \"5KB\" }\n"+attrs, "put", "PutItem", "rate = 100"), want: []want{{rule: "item-write-boundary"}}},
		{name: "104 B over 4 KB", input: item("item_size = \"4200B\"\n"+attrs, "get", "GetItem", "key = \"chatId = :c\"\nrate = 500"), want: []want{{
			// 0.5 × 500/s × 2,628,000 s × $0.125/M = $82.125
			rule: "item-read-boundary", severity: rules.Note, monthly: "$82.13", message: `104 B over a step of 4 KB`,
		}}},
	} {
		t.Run(c.name, c.check)
	}
}
