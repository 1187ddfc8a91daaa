package load

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const templates = "../../fixtures/templates"

// loadAPI loads one API document from text.
func loadAPI(t testing.TB, name string, data []byte) Result {
	t.Helper()
	doc, d := node.ParseJSON(source.NewFile(name, data))
	if d != nil {
		t.Fatal(d)
	}
	body, kind := apiTable(doc)
	if kind == "" {
		t.Fatalf("%s is not recognised", name)
	}
	return readAPITable(body, kind)
}

// one loads a fixture that must hold one table and no error.
func one(t testing.TB, name string) *table.Table {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(templates, name))
	if err != nil {
		t.Fatal(err)
	}
	r := loadAPI(t, name, data)
	if len(r.Errors) > 0 || len(r.Tables) != 1 {
		t.Fatalf("%d tables, errors %v", len(r.Tables), r.Errors)
	}
	return r.Tables[0]
}

// show writes a value as a test states it: the value with "~" before a
// default, "-" when absent, "?" when unresolved.
func show[T any](v source.Value[T]) string {
	got, _ := v.Get()
	switch v.Origin {
	case source.IsAbsent:
		return "-"
	case source.IsUnresolved:
		return "?"
	case source.IsDefaulted:
		return fmt.Sprint("~", got)
	}
	return fmt.Sprint(got)
}

func showPair(t table.Throughput) string { return show(t.Read) + "/" + show(t.Write) }

func showKey(k table.Key) string {
	var parts []string
	for _, e := range k.Elements {
		parts = append(parts, show(e.Role)+" "+show(e.Name)+":"+show(e.Type))
	}
	return strings.Join(parts, ", ")
}

func showIndex(ix *table.Index) string {
	var nonKey []string
	for _, n := range ix.NonKey.Items {
		nonKey = append(nonKey, show(n))
	}
	return fmt.Sprintf("%s %s (%s) %s%v units %s max %s warm %s scaling %s items %s bytes %s",
		ix.Kind, show(ix.Name), showKey(ix.Key), show(ix.Projection), nonKey, showPair(ix.Capacity), showPair(ix.MaxOnDemand),
		showPair(ix.Warm), show(ix.Scaling.Read), show(ix.ItemCount), show(ix.SizeBytes))
}

// facts lists a table's facts by name.
func facts(t *table.Table) map[string]string {
	out := map[string]string{
		"type": t.ResourceType, "logical": t.LogicalName, "name": show(t.Name), "region": show(t.Region), "account": t.Account,
		"key": showKey(t.Key), "billing": show(t.Billing), "units": showPair(t.Capacity), "max": showPair(t.MaxOnDemand),
		"warm": showPair(t.Warm), "scaling": show(t.Scaling.Read) + "/" + show(t.Scaling.Write), "class": show(t.Class),
		"ttl": show(t.TTL.Attribute) + "/" + show(t.TTL.Enabled), "stream": show(t.StreamView), "pitr": show(t.PITR),
		"protected": show(t.DeletionProtection), "kms": show(t.KMSKey), "consistency": show(t.Consistency),
		"items": show(t.ItemCount), "bytes": show(t.SizeBytes), "created": show(t.Created), "tags incomplete": t.Tags.Incomplete,
	}
	for i, ix := range t.Indexes() {
		out[fmt.Sprintf("index %d", i)] = showIndex(ix)
	}
	for i, v := range t.Vectors.Items {
		out[fmt.Sprintf("vector %d", i)] = show(v.Name) + " " + show(v.Attribute) + " " + show(v.Dimensions)
	}
	for i, w := range t.Witnesses.Items {
		out[fmt.Sprintf("witness %d", i)] = show(w)
	}
	for i, r := range t.Replicas.Items {
		s := fmt.Sprintf("%s class %s pitr %s read %s max %s", show(r.Region), show(r.Class), show(r.PITR), show(r.Read), show(r.MaxRead))
		for _, ix := range r.Indexes {
			s += fmt.Sprintf(" (%s read %s max %s)", show(ix.Name), show(ix.Read), show(ix.MaxRead))
		}
		out[fmt.Sprintf("replica %d", i)] = s
	}
	for _, g := range t.Tags.Items {
		out["tag "+show(g.Key)] = show(g.Value)
	}
	return out
}

func TestDescribeFacts(t *testing.T) {
	gap := "not part of DescribeTable"
	for name, want := range map[string]map[string]string{
		"describe-orders.json": {
			"type": "describe-table", "logical": "Orders", "name": "Orders", "region": "eu-central-1", "account": "210987654321",
			"key": "HASH customerId:S, RANGE placedAt:N", "billing": "~PROVISIONED", "units": "40/20", "max": "-/-", "warm": "-/-",
			"scaling": "?/?", "class": "~STANDARD", "ttl": "?/?", "stream": "NEW_AND_OLD_IMAGES", "pitr": "?", "protected": "true",
			"kms":         "arn:aws:kms:eu-central-1:210987654321:key/00000000-1111-2222-3333-444444444444",
			"consistency": "-", "items": "4200000", "bytes": "5368709120", "created": "1741080030", "tags incomplete": gap,
			"index 0": "GSI recent (HASH status:S, RANGE placedAt:N) KEYS_ONLY[] units 10/20 max -/- warm 12000/4000 scaling ? items 4100000 bytes 734003200",
			"index 1": "LSI byStatus (HASH customerId:S, RANGE status:S) INCLUDE[total currency] units -/- max -/- warm -/- scaling - items 4200000 bytes 1048576",
		},
		"describe-global.json": {
			"type": "describe-table", "logical": "Sessions", "name": "Sessions", "region": "us-east-1", "account": "210987654321",
			"key": "HASH sessionId:S", "billing": "PAY_PER_REQUEST", "units": "-/-", "max": "5000/-", "warm": "15000/5000",
			"scaling": "?/?", "class": "STANDARD_INFREQUENT_ACCESS", "ttl": "?/?", "stream": "-", "pitr": "?", "protected": "?",
			"kms": "-", "consistency": "STRONG", "items": "10", "bytes": "2048", "created": "1735689600", "tags incomplete": gap,
			"index 0":   "GSI byUser (HASH userId:S) ALL[] units -/- max 700/- warm -/- scaling ? items - bytes -",
			"vector 0":  "similar embedding 1024",
			"witness 0": "us-west-2",
			"replica 0": "us-east-2 class STANDARD pitr ? read - max 900 (byUser read - max 300)",
		},
		"describe-update.json": {
			"type": "describe-table", "logical": "<table:1>", "name": "<table:1>", "region": "?", "account": "",
			"key": "HASH id:B", "billing": "~PROVISIONED", "units": "3/4", "max": "-/-", "warm": "-/-",
			"scaling": "?/?", "class": "~STANDARD", "ttl": "?/?", "stream": "-", "pitr": "?", "protected": "false",
			"kms": "?", "consistency": "-", "items": "-", "bytes": "-", "created": "?", "tags incomplete": gap,
		},
		"create-events.json": {
			"type": "create-table", "logical": "Events", "name": "Events", "region": "-", "account": "",
			"key": "HASH tenant:S, RANGE at:N", "billing": "PAY_PER_REQUEST", "units": "-/-", "max": "-/1000", "warm": "-/-",
			"scaling": "?/?", "class": "STANDARD", "ttl": "?/?", "stream": "-", "pitr": "?", "protected": "true",
			"kms": "~alias/aws/dynamodb", "consistency": "-", "items": "-", "bytes": "-", "created": "-", "tags incomplete": "",
			"tag team": "billing",
		},
		"create-migration.json": {
			"type": "create-table", "logical": "todos-dev", "name": "todos-dev", "region": "-", "account": "",
			"key": "HASH id:S", "billing": "~PROVISIONED", "units": "2/1", "max": "-/-", "warm": "-/-",
			"scaling": "?/?", "class": "~STANDARD", "ttl": "?/?", "stream": "-", "pitr": "?", "protected": "~false",
			"kms": "-", "consistency": "-", "items": "-", "bytes": "-", "created": "-", "tags incomplete": "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(want, facts(one(t, name))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestDescribePlaces(t *testing.T) {
	tb := one(t, "describe-orders.json")
	gsi := tb.GSIs.Items[0]
	for name, c := range map[string]struct {
		at   source.Span
		want string
	}{
		"table":    {tb.At, "describe-orders.json:2:12"},
		"name":     {tb.Name.At, "describe-orders.json:8:18"},
		"key":      {tb.Key.Elements[1].At, "describe-orders.json:11:7"},
		"type":     {tb.Key.Elements[1].Type.At, "describe-orders.json:5:54"},
		"index":    {gsi.At, "describe-orders.json:33:7"},
		"capacity": {gsi.Capacity.Write.At, "describe-orders.json:41:111"},
	} {
		if got := c.at.String(); got != c.want {
			t.Errorf("%s at %s, want %s", name, got, c.want)
		}
	}
}

func TestDescribeGaps(t *testing.T) {
	tb := one(t, "create-events.json")
	for name, why := range map[string]string{"ttl": tb.TTL.Attribute.Why, "pitr": tb.PITR.Why, "scaling": tb.Scaling.Write.Why} {
		if why != "not part of CreateTable" {
			t.Errorf("%s is unresolved because %q", name, why)
		}
	}
}

// patch is a small answer with one member replaced or, for "", removed.
func patch(key, value string) []byte {
	members := map[string]string{
		"TableName": `"T"`, "TableStatus": `"ACTIVE"`,
		"AttributeDefinitions":  `[{"AttributeName":"a","AttributeType":"S"}]`,
		"KeySchema":             `[{"AttributeName":"a","KeyType":"HASH"}]`,
		"ProvisionedThroughput": `{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`,
	}
	members[key] = value
	var lines []string
	for k, v := range members {
		if v != "" {
			lines = append(lines, fmt.Sprintf("%q:%s", k, v))
		}
	}
	sort.Strings(lines)
	return []byte("{" + strings.Join(lines, ",\n") + "}")
}

func TestDescribeFaults(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       string // the message
		fact       string // the fact that must not be known
	}{
		{"TableName", ``, "the table has no TableName", "name"},
		{"TableName", `7`, "TableName is 7, expected text", "name"},
		{"KeySchema", ``, "KeySchema is missing", ""},
		{"KeySchema", `"a"`, `KeySchema is "a", expected a list`, ""},
		{"KeySchema", `["a"]`, `an entry of KeySchema is "a", expected a map`, ""},
		{"KeySchema", `[{"AttributeName":"a","KeyType":"hash"}]`, `KeyType is "hash", expected HASH or RANGE`, ""},
		{"KeySchema", `[{"AttributeName":"a"}]`, "KeyType is missing, expected HASH or RANGE", ""},
		{"KeySchema", `[{"KeyType":"HASH"}]`, "AttributeName is missing", ""},
		{"BillingModeSummary", `{"BillingMode":"ON_DEMAND"}`, `BillingMode is "ON_DEMAND", expected PAY_PER_REQUEST or PROVISIONED`, "billing"},
		{"BillingModeSummary", `[]`, "BillingModeSummary is a list, expected a map", "billing"},
		{"ProvisionedThroughput", `{"ReadCapacityUnits":"5","WriteCapacityUnits":1.5}`, `ReadCapacityUnits is "5", expected a whole number`, "units"},
		{"TableClassSummary", `{"TableClass":"COLD"}`, `TableClass is "COLD", expected STANDARD or STANDARD_INFREQUENT_ACCESS`, "class"},
		{"DeletionProtectionEnabled", `"false"`, `DeletionProtectionEnabled is "false", expected true or false`, "protected"},
		{"StreamSpecification", `{"StreamEnabled":"yes"}`, `StreamEnabled is "yes", expected true or false`, "stream"},
		{"ItemCount", `{}`, "ItemCount is a map, expected a whole number", "items"},
	} {
		r := loadAPI(t, "f.json", patch(c.key, c.value))
		if len(r.Errors) == 0 || r.Errors[0].Message != c.want || !r.Errors[0].At.Known() {
			t.Errorf("%s %s: errors %v, want %q", c.key, c.value, r.Errors, c.want)
		}
		tb := r.Tables[0]
		if got := facts(tb)[c.fact]; c.fact != "" && !strings.Contains(got, "?") {
			t.Errorf("%s %s: %s reads as %s, want unresolved", c.key, c.value, c.fact, got)
		}
		if c.key == "KeySchema" && tb.Key.Complete() {
			t.Errorf("KeySchema %s: the key counts as complete", c.value)
		}
	}
}

// Facts section 8: what is left out has the API's meaning, and a table that
// shows no capacity at all is not taken for a provisioned one.
func TestDescribeNilRules(t *testing.T) {
	for _, c := range []struct{ key, value, fact, want string }{
		{"ItemCount", "null", "items", "-"},
		{"ProvisionedThroughput", `{"ReadCapacityUnits":0,"WriteCapacityUnits":0}`, "billing", "?"},
		{"ProvisionedThroughput", `{"ReadCapacityUnits":0,"WriteCapacityUnits":0}`, "units", "-/-"},
		{"ProvisionedThroughput", `{"ReadCapacityUnits":5.0,"WriteCapacityUnits":1e1}`, "units", "5/10"},
		{"OnDemandThroughput", `{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1}`, "max", "-/-"},
		{"StreamSpecification", `{"StreamEnabled":true}`, "stream", "?"},
		{"CreationDateTime", `1735689600123`, "created", "?"},
		{"CreationDateTime", `"2025-01-01T00:00:00Z"`, "created", "1735689600"},
		{"CreationDateTime", `"1/1/2025"`, "created", "?"},
		{"TableArn", `"arn:aws:dynamodb:ddblocal:000000000000:table/T"`, "region", "?"},
		{"TableArn", `"arn:aws-us-gov:dynamodb:us-gov-west-1:210987654321:table/T"`, "region", "us-gov-west-1"},
		{"TableArn", `"arn:aws:dynamodb:us-east-1:000000000000:table/T"`, "account", ""},
		{"AttributeDefinitions", `[]`, "key", "HASH a:-"},
		{"AttributeDefinitions", ``, "key", "HASH a:?"},
	} {
		r := loadAPI(t, "f.json", patch(c.key, c.value))
		if len(r.Errors) > 0 {
			t.Errorf("%s %s: %v", c.key, c.value, r.Errors)
		}
		if got := facts(r.Tables[0])[c.fact]; got != c.want {
			t.Errorf("%s %s: %s is %s, want %s", c.key, c.value, c.fact, got, c.want)
		}
	}
}

func TestAPITableRecognition(t *testing.T) {
	for text, want := range map[string]string{
		`{"TableName":"T","KeySchema":[]}`:                      CreateTable,
		`{"Table":{"TableName":"T","KeySchema":[]},"Seeds":[]}`: CreateTable,
		`{"TableName":"T","KeySchema":[],"ItemCount":0}`:        DescribeTable,
		`{"Table":{"TableArn":"x","TableStatus":"ACTIVE"}}`:     DescribeTable,
		`{"TableDescription":{}}`:                               DescribeTable,
		`{"TableName":"T","AttributeDefinitions":[]}`:           "", // input of UpdateTable
		`{"TableName":"T","Key":{"a":{"S":"1"}}}`:               "", // input of GetItem
		`{"Table":{"TableName":"T"}}`:                           "",
		`{"Table":"T"}`:                                         "",
		`[]`:                                                    "",
		`{"Resources":{"T":{"Properties":{"KeySchema":[{}]}}}}`: "",
		`{"TableNames":["T"]}`:                                  "",
	} {
		doc, d := node.ParseJSON(source.NewFile("f.json", []byte(text)))
		if d != nil {
			t.Fatal(d)
		}
		if _, got := apiTable(doc); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

// FuzzDescribe: whatever the document, a table that is read has a place and a
// known capacity is never negative by accident of parsing.
func FuzzDescribe(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(templates, "*.json"))
	if err != nil || len(names) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(patch("KeySchema", `[{"AttributeName":["a"],"KeyType":{}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, d := node.ParseJSON(source.NewFile("f.json", data))
		if d != nil {
			return
		}
		body, kind := apiTable(doc)
		if kind == "" {
			return
		}
		r := readAPITable(body, kind)
		for _, e := range r.Errors {
			if !e.At.Known() {
				t.Errorf("no place: %s", e)
			}
		}
		for _, tb := range r.Tables {
			if !tb.At.Known() {
				t.Error("a table without a place")
			}
			if tb.PITR.Known() || tb.TTL.Enabled.Known() {
				t.Error("a fact that the API does not tell is known")
			}
			facts(tb)
		}
	})
}
