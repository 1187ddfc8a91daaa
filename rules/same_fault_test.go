package rules_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/source"
	"ddbvet/rules"
)

// told is a finding without its place.
type told struct {
	Rule, Severity, Known, Table, Index, Attribute, Message, Fix, Fingerprint string
	Numbers                                                                   []rules.Number
}

var lineNumber = regexp.MustCompile(`line \d+`)

func findings(t *testing.T, name, text string, ids ...string) (out []told) {
	t.Helper()
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	res := load.Bytes(name, []byte(text), load.Options{})
	for _, e := range res.Errors {
		t.Fatal(e)
	}
	for _, f := range run(book, res.Tables, rules.All).Findings {
		for _, id := range ids {
			if f.Rule.ID == id {
				out = append(out, told{
					f.Rule.ID, f.Severity.String(), string(f.Known), f.Table.DisplayName(), f.Index, f.Attribute,
					lineNumber.ReplaceAllString(f.Message, "line"), f.Fix, f.Fingerprint(), f.Numbers,
				})
			}
		}
	}
	return out
}

const faultyDesign = `schema = 1
region = "us-east-1"

[[table]]
name = "Orders"
partition_key = "orderId:S"
billing = "provisioned"
read_capacity = 10
write_capacity = 10

  [[table.gsi]]
  name = "byMail"
  partition_key = "mail:S"
  projection = "keys-only"
  read_capacity = 5
  write_capacity = 5

  [[table.gsi]]
  name = "mailIndex"
  partition_key = "mail:S"
  projection = "keys-only"
  read_capacity = 50000
  write_capacity = 10
`

const faultyTemplate = `Resources:
  Anything:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: Orders
      AttributeDefinitions:
        - {AttributeName: orderId, AttributeType: S}
        - {AttributeName: mail, AttributeType: S}
      KeySchema: [{AttributeName: orderId, KeyType: HASH}]
      ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 10}
      GlobalSecondaryIndexes:
        - IndexName: byMail
          KeySchema: [{AttributeName: mail, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
          ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}
        - IndexName: mailIndex
          KeySchema: [{AttributeName: mail, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
          ProvisionedThroughput: {ReadCapacityUnits: 50000, WriteCapacityUnits: 10}
`

// TestSameFaultSameFinding describes one faulty table in two languages.
func TestSameFaultSameFinding(t *testing.T) {
	ids := []string{"cap-no-autoscaling", "gsi-wcu-below-base", "gsi-duplicate", "def-throughput-quota"}
	design := findings(t, "orders.ddb.toml", faultyDesign, ids...)
	template := findings(t, "orders.yaml", faultyTemplate, ids...)
	byRule := map[string]int{}
	for _, f := range design {
		byRule[f.Rule]++
	}
	for _, id := range ids {
		if byRule[id] == 0 {
			t.Errorf("%s finds nothing in the design", id)
		}
	}
	if diff := cmp.Diff(sorted(design), sorted(template)); diff != "" {
		t.Errorf("the design's findings (-) are not the template's (+):\n%s", diff)
	}
}

// sorted maps findings by what identifies them.
func sorted(list []told) map[string]told {
	out := map[string]told{}
	for _, f := range list {
		out[f.Fingerprint] = f
	}
	return out
}

// TestFingerprintsStay holds some fingerprints for good: a baseline of an
// earlier version must still know its findings. They may only change with
// what a finding is about.
func TestFingerprintsStay(t *testing.T) {
	golden := map[string]string{
		"cap-no-autoscaling ":            "3ddea8f31004e53b",
		"cap-no-autoscaling byMail":      "567ef5e50334ecd4",
		"gsi-duplicate mailIndex":        "9e462d7b2d427521",
		"gsi-wcu-below-base byMail":      "16071337c28c2b39",
		"def-throughput-quota mailIndex": "f0e8a5c5d3e28e49",
	}
	moved := findings(t, "other.ddb.toml", "# a line more\n"+faultyDesign,
		"cap-no-autoscaling", "gsi-wcu-below-base", "gsi-duplicate", "def-throughput-quota")
	got := map[string]string{}
	for _, f := range moved {
		got[f.Rule+" "+f.Index] = f.Fingerprint
	}
	for id, want := range golden {
		if got[id] != want {
			t.Errorf("%s has fingerprint %s, want %s", id, got[id], want)
		}
	}
}

// TestFingerprintIgnoresPlaceAndWording changes everything that a fingerprint
// must not hold, and then each thing that it must.
func TestFingerprintIgnoresPlaceAndWording(t *testing.T) {
	base := func() rules.Finding {
		_, tables := read(t, fixtureRoot+"/gsi-duplicate/bad.ddb.toml")
		return rules.Finding{Rule: rules.All[0], Table: tables[0], Index: "i", Attribute: "a", Pattern: "p"}
	}
	f := base()
	want := f.Fingerprint()
	f.Message, f.Fix, f.Severity, f.Known = "other words", "other advice", rules.Error, rules.Heuristic
	f.At = source.Span{File: source.NewFile("elsewhere", nil), Start: source.Pos{Line: 99, Col: 9}}
	f.Numbers = []rules.Number{{Name: "n", Value: 1}}
	if got := f.Fingerprint(); got != want {
		t.Errorf("fingerprint %s changed to %s with place and wording", want, got)
	}
	for name, change := range map[string]func(*rules.Finding){
		"rule":      func(f *rules.Finding) { f.Rule = rules.All[1] },
		"index":     func(f *rules.Finding) { f.Index = "j" },
		"attribute": func(f *rules.Finding) { f.Attribute = "b" },
		"pattern":   func(f *rules.Finding) { f.Pattern = "q" },
		"account":   func(f *rules.Finding) { f.Table.Account = "123456789012" },
		"table":     func(f *rules.Finding) { f.Table.Name = source.Written("Other", source.Span{}) },
	} {
		g := base()
		if change(&g); g.Fingerprint() == want {
			t.Errorf("fingerprint does not tell another %s", name)
		}
	}
}
