package rules_test

import (
	"strings"
	"testing"

	"ddbvet/rules"
)

const resultsIndex = `partition_key = "resultId:S"
[[table.gsi]]
name = "byCompany"
partition_key = ["companyId:S", "kind:S"]
projection = "all"
%s
[[access_pattern]]
name = "results"
table = "Tbl"
index = "byCompany"
%s
`

// TestAdviceFitsTheFault: a request that is wrong in itself is told how it
// should read, once, and no claim is made of items nobody described.
func TestAdviceFitsTheFault(t *testing.T) {
	for _, c := range []evidenceCase{
		{name: "GetItem on an index of two partition attributes", input: design(resultsIndex, "", "operation = \"GetItem\"\nkey = \"companyId = :c AND kind = :k\""), want: []want{
			{rule: "ap-getitem-on-index", severity: rules.Error, fix: `existing index "byCompany" serves it with a Query`},
			{rule: "mgsi-pk-partial"},
			{rule: "ap-unserved"},
		}},
		{name: "a write that names the index", input: design(resultsIndex, "", "operation = \"DeleteItem\"\nkey = \"companyId = :c\""), want: []want{
			{rule: "ap-unserved", severity: rules.Error, message: `DeleteItem writes to the table and cannot name an index`}, {rule: "mgsi-pk-partial"},
		}},
		{name: "only a new table serves", input: strings.Replace(design(resultsIndex, "", "operation = \"DeleteItem\"\nkey = \"score = :s\""), "index = \"byCompany\"\n", "", 1), want: []want{
			{rule: "ap-unserved", severity: rules.Error, fix: `every item is written again\.$`},
		}},
		{name: "a reserved word", input: design(resultsIndex, "", "operation = \"Query\"\nkey = \"companyId = :c AND kind = :k AND state = :s\""), want: []want{
			{rule: "ap-unserved", severity: rules.Error, message: `"state" is a reserved word .*; "state" is not a key attribute`, fix: `^Write the expression as DynamoDB takes it: .*reserved words through names\.$`},
		}},
		{name: "an attribute that nobody declared", input: design(resultsIndex, "", "operation = \"Query\"\nkey = \"score = :s\""), want: []want{
			{rule: "mgsi-pk-partial"},
			{rule: "ap-unserved", severity: rules.Error, message: `"companyId" by equality.*"kind" by equality.*"score" is not a key attribute`, fix: `add a new index score; items that have "score" already need no rewrite, and those that lack it stay out of the index\.$`},
		}},
		{name: "one partition attribute of three", input: strings.Replace(design(resultsIndex, "", "operation = \"Query\"\nkey = \"companyId = :c\""), `"kind:S"]`, `"kind:S", "area:S"]`, 1), want: []want{
			{rule: "mgsi-pk-partial", severity: rules.Error, message: `"kind" by equality.*; .*"area" by equality`}, {rule: "ap-unserved"},
		}},
		{name: "a declared attribute", input: design(resultsIndex, "[[table.entity]]\nname = \"Result\"\nattributes = { score = \"N\" }", "entity = \"Result\"\noperation = \"Query\"\nkey = \"score = :s\""), want: []want{
			{rule: "mgsi-pk-partial"},
			{rule: "ap-unserved", severity: rules.Error, fix: `add a new index score; its attributes are on the items already`},
		}},
	} {
		t.Run(c.name, c.check)
	}
}
