package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"ddbvet/internal/table"
	"ddbvet/rules"
)

// model is a Workbench model with 150 items of one partition key and one value
// of the index key, by which a real sample would be judged; the first item
// holds pad bytes more.
func model(pad int) string {
	var items []string
	for i := range 150 {
		extra := ""
		if i == 0 {
			extra = fmt.Sprintf(`, "pad": {"S": %q}`, strings.Repeat("x", pad))
		}
		items = append(items, fmt.Sprintf(`{"PK": {"S": "one"}, "createdAt": {"S": "%d"}, "holder": {"S": "k"}%s}`, i, extra))
	}
	return `{"ModelName": "m", "ModelMetadata": {"Version": "3.0"}, "DataModel": [{
"TableName": "Tbl", "BillingMode": "PAY_PER_REQUEST",
"KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"}, "SortKey": {"AttributeName": "createdAt", "AttributeType": "S"}},
"GlobalSecondaryIndexes": [{"IndexName": "kinds", "KeyAttributes": {"PartitionKey": {"AttributeName": "holder", "AttributeType": "S"}}, "Projection": {"ProjectionType": "KEYS_ONLY"}}],
"LocalSecondaryIndexes": [{"IndexName": "local", "KeyAttributes": {"SortKey": {"AttributeName": "at", "AttributeType": "S"}}, "Projection": {"ProjectionType": "KEYS_ONLY"}}],
"TableData": [` + strings.Join(items, ",") + `]}]}`
}

// A model's sample only illustrates: neither does the same key on all of its
// items make a key constant, nor do its small items prove that items are small.
func TestModelSampleDoesNotCryWolf(t *testing.T) {
	for _, pad := range []int{0, 500 << 10} {
		res, tables := runInput(t, "m.json", []byte(model(pad)), nil)
		if len(tables) != 1 || tables[0].Profile == nil || tables[0].Profile.Items != 150 || tables[0].Profile.Key("PK").Distinct != 1 {
			t.Fatalf("the sample was not read: %+v", tables)
		}
		over := 0
		for _, f := range res.Findings {
			if f.Known == rules.Sampled && f.Rule.ID != "item-over-400kb" && f.Rule.ID != "lsi-item-400kb" {
				t.Errorf("pad %d: judged by the sample: %s", pad, show(f))
			}
			if f.Rule.ID == "item-over-400kb" {
				over++
			}
		}
		// An item that DynamoDB refuses is a fault wherever it is drawn.
		if want := min(pad, 1); over != want {
			t.Errorf("pad %d: %d findings of item-over-400kb, want %d", pad, over, want)
		}
		if pad > 0 {
			continue
		}
		for _, id := range []string{"key-constant", "key-low-cardinality", "gsi-low-cardinality", "item-over-400kb", "item-near-400kb", "item-large", "lsi-item-400kb", "lsi-collection-10gb"} {
			for _, o := range res.Outcomes {
				if o.Rule.ID == id && o.State != rules.NotEvaluated {
					t.Errorf("%s is %v, want not evaluated", id, o.State)
				}
			}
		}
	}
}

// The same items, were they sampled, are judged: the test above can fail.
func TestRealSampleIsJudged(t *testing.T) {
	res, _ := runInput(t, "m.json", []byte(model(0)), func(t *table.Table) { t.Profile.Source = "sample" })
	for _, f := range res.Findings {
		if f.Rule.ID == "key-constant" && f.Severity == rules.Error {
			return
		}
	}
	t.Error("no finding of key-constant")
}
