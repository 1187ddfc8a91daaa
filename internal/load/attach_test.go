package load

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/source"
)

const ordersTemplate = `Parameters:
  Mode: {Type: String}
Resources:
  OrdersTable:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders-prod
      BillingMode: PROVISIONED
      ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 4}
      AttributeDefinitions:
        - {AttributeName: id, AttributeType: S}
        - {AttributeName: status, AttributeType: S}
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      GlobalSecondaryIndexes:
        - IndexName: byStatus
          KeySchema: [{AttributeName: status, KeyType: HASH}]
          Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [total, owner]}
          ProvisionedThroughput: {ReadCapacityUnits: 2, WriteCapacityUnits: 4}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
  OpenTable:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: !Ref Mode
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
`

// defined is a design whose table takes its keys from the template, with
// further keys of the table, then of the file.
func defined(resource, tableKeys, rest string) string {
	return "schema = 1\n[[table]]\ndefinition = \"../infra/t.yaml#" + resource + "\"\n" + tableKeys + "\n" + rest
}

const ordersPattern = `[[table.entity]]
name = "Order"
key = { id = "ORDER#{orderId}" }
[[access_pattern]]
name = "get an order"
table = "OrdersTable"
operation = "GetItem"
entity = "Order"
key = "id = :id"
rate = 3
`

func loadDefined(t *testing.T, resource, tableKeys, rest string, paths ...string) Result {
	t.Helper()
	inFolder(t, map[string]string{"d/a.ddb.toml": defined(resource, tableKeys, rest), "infra/t.yaml": ordersTemplate})
	if len(paths) == 0 {
		paths = []string{"d"}
	}
	return Paths(paths, Options{})
}

func TestDefinitionGivesTheTable(t *testing.T) {
	for name, paths := range map[string][]string{"design alone": {"d"}, "both": {"d", "infra"}, "template first": {"infra", "d"}} {
		t.Run(name, func(t *testing.T) {
			r := loadDefined(t, "OrdersTable", "item_count = 1000\nsize = \"5MB\"", ordersPattern, paths...)
			for _, e := range r.Errors {
				t.Error(e)
			}
			orders := 0
			for _, tb := range r.Tables {
				if tb.LogicalName != "OrdersTable" {
					continue
				}
				orders++
				got := facts(tb)
				want := map[string]string{
					"type": "AWS::DynamoDB::Table", "name": "orders-prod", "key": "HASH id:S", "billing": "PROVISIONED", "units": "5/4",
					"stream": "NEW_IMAGE", "pitr": "~false", "items": "1000", "bytes": "5242880",
				}
				for k, v := range want {
					if got[k] != v {
						t.Errorf("%s is %s, want %s", k, got[k], v)
					}
				}
				if at := tb.Key.Elements[0].At.String(); at != "infra/t.yaml:13:19" {
					t.Errorf("the key is at %s", at)
				}
				if len(tb.Patterns.Items) != 1 || len(tb.Entities.Items) != 1 || !tb.Declared || len(tb.GSIs.Items) != 1 {
					t.Errorf("patterns %d, entities %d, declared %v, indexes %d", len(tb.Patterns.Items), len(tb.Entities.Items), tb.Declared, len(tb.GSIs.Items))
				}
			}
			if orders != 1 {
				t.Errorf("the table is there %d times", orders)
			}
		})
	}
}

// What the design states as well and states otherwise is an error with both
// places; what agrees, or what the definition leaves open, is none.
func TestDefinitionDifferences(t *testing.T) {
	gsi := func(keys string) string {
		return "[[table.gsi]]\nname = \"byStatus\"\npartition_key = \"status:S\"\n" + keys + "\n"
	}
	for _, c := range []struct{ name, keys, rest, want string }{
		{"nothing", "", "", ""},
		{
			"all equal", "name = \"orders-prod\"\npartition_key = \"id:S\"\nbilling = \"provisioned\"\nread_capacity = 5\nwrite_capacity = 4\nclass = \"standard\"\nstream = \"new-image\"\npitr = false",
			gsi("projection = [\"owner\", \"total\"]\nread_capacity = 2"), "",
		},
		{"logical name", "name = \"OrdersTable\"", "", ""},
		{"evidence", "region = \"eu-west-1\"\nitem_count = 4", gsi("sparse = true\nitem_count = 2\nprojection = [\"owner\", \"total\"]"), ""},
		{"name", "name = \"orders\"", "", `the name of table "orders" is orders here and orders-prod in its definition at infra/t.yaml:7:18`},
		{"key", "partition_key = \"pk:S\"", "", `the key of table "OrdersTable" is (pk) here and (id) in its definition at infra/t.yaml:13:18`},
		{"further key", "partition_key = \"id:S\"\nsort_key = \"at:N\"", "", `the key of table "OrdersTable" is (id; at) here and (id) in its definition at infra/t.yaml:13:18`},
		{"type", "partition_key = \"id:N\"", "", `the type of "id" of table "OrdersTable" is N here and S in its definition at infra/t.yaml:11:46`},
		{"billing", "billing = \"on-demand\"", "", `billing of table "OrdersTable" is PAY_PER_REQUEST here and PROVISIONED in its definition at infra/t.yaml:8:20`},
		{"capacity", "read_capacity = 6", "", `read_capacity of table "OrdersTable" is 6 here and 5 in its definition at infra/t.yaml:9:50`},
		{"default", "pitr = true", "", `pitr of table "OrdersTable" is true here and false in its definition at infra/t.yaml:4:3`},
		{"absent", "kms_key = \"alias/k\"", "", `kms_key of table "OrdersTable" is alias/k here and not set in its definition at infra/t.yaml:7:7`},
		{"auto scaling", "autoscaling = { read = { min = 1, max = 9, target = 70 } }", "", `read auto scaling of table "OrdersTable" is 1 to 9 at 70 % here and none in its definition at `},
		{"projection", "", gsi("projection = \"all\""), `the projection of index "byStatus" of table "OrdersTable" is ALL here and INCLUDE in its definition at infra/t.yaml:17:40`},
		{"attributes", "", gsi("projection = [\"total\"]"), `the projected attributes of index "byStatus" of table "OrdersTable" is [total] here and [owner, total] in its definition at infra/t.yaml:17:67`},
		{"index capacity", "", gsi("read_capacity = 3"), `read_capacity of index "byStatus" of table "OrdersTable" is 3 here and 2 in its definition at infra/t.yaml:18:54`},
		{"no such index", "", "[[table.gsi]]\nname = \"byOwner\"\npartition_key = \"owner:S\"\nprojection = \"all\"\n", `table "OrdersTable" has no GSI "byOwner" in its definition at infra/t.yaml:15:9`},
		{"tag", "tags = { team = \"x\" }", "", `the tag "team" of table "OrdersTable" is set here and not set in its definition at infra/t.yaml:7:7`},
		{"replicas", "replicas = [\"eu-west-1\"]", "", `the list of replicas of table "OrdersTable" is [eu-west-1] here and [] in its definition at infra/t.yaml:4:3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loadDefined(t, "OrdersTable", c.keys, c.rest)
			var got []string
			for _, e := range r.Errors {
				if e.At.File.Name != "d/a.ddb.toml" {
					t.Errorf("the error is at %s, want the design's line", e.At)
				}
				got = append(got, e.Message)
			}
			switch {
			case c.want == "" && len(got) > 0, c.want != "" && len(got) != 1:
				t.Errorf("errors %q, want %q", got, c.want)
			case c.want != "" && !strings.HasPrefix(got[0], c.want):
				t.Errorf("\n got %s\nwant %s", got[0], c.want)
			}
		})
	}
}

// The design fills what the template leaves open.
func TestDefinitionLeavesOpen(t *testing.T) {
	r := loadDefined(t, "OpenTable", "name = \"open\"\nbilling = \"on-demand\"\nregion = \"eu-west-1\"", "")
	for _, e := range r.Errors {
		t.Error(e)
	}
	if got := facts(r.Tables[0]); got["billing"] != "PAY_PER_REQUEST" || got["name"] != "open" || got["region"] != "eu-west-1" {
		t.Errorf("billing %s, name %s, region %s", got["billing"], got["name"], got["region"])
	}
	r = loadDefined(t, "OpenTable", "", "")
	if got := facts(r.Tables[0]); got["billing"] != "?" || got["name"] != "?" {
		t.Errorf("billing %s, name %s, want both unresolved", got["billing"], got["name"])
	}
}

func TestDefinitionNotFound(t *testing.T) {
	r := loadDefined(t, "OrderTable", "", "")
	want := []string{
		"OrderTable design d/a.ddb.toml",
		`error d/a.ddb.toml:3:14: infra/t.yaml has no table "OrderTable", its tables are "OrdersTable", "OpenTable"`,
	}
	if d := cmp.Diff(want, outcome(r)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r.Tables[0].Key.Complete() || r.Tables[0].Billing.Known() {
		t.Error("a table without its definition has a known key or billing mode")
	}
	inFolder(t, map[string]string{"d/a.ddb.toml": defined("T", "", "")})
	check(t, Paths([]string{"d"}, Options{}),
		"T design d/a.ddb.toml",
		"error d/a.ddb.toml:3:14: the definition's file infra/t.yaml cannot be read: no such file or directory")
	inFolder(t, map[string]string{"d/a.ddb.toml": defined("T", "", ""), "infra/t.yaml": "a: [\n"})
	got := outcome(Paths([]string{"d"}, Options{}))
	if len(got) != 2 || !strings.HasPrefix(got[1], "error infra/t.yaml:") {
		t.Errorf("%q, want the fault of the definition's file alone", got)
	}
}

// A definition is relative to the file that names it, also on standard input.
func TestDefinitionOfBytes(t *testing.T) {
	inFolder(t, map[string]string{"infra/t.yaml": ordersTemplate})
	text := strings.Replace(defined("OrdersTable", "", ""), "../", "", 1)
	check(t, Bytes("<stdin>", []byte(text), Options{}), "orders-prod AWS::DynamoDB::Table infra/t.yaml")
}

const loosePattern = `schema = 1
[[access_pattern]]
name = "get"
table = "NAME"
operation = "GetItem"
key = "id = :id"
rate = 3
`

func TestPatternsOfOtherFiles(t *testing.T) {
	for _, c := range []struct{ name, at, want string }{
		{"by name", "orders-prod", ""},
		{"by logical name", "OpenTable", ""},
		{"near", "orders-prd", `error p.ddb.toml:4:9: no table "orders-prd" was read, did you mean "orders-prod"?`},
		{"unknown", "Users", `error p.ddb.toml:4:9: no table "Users" was read, the tables are "orders-prod", "OpenTable"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			inFolder(t, map[string]string{"p.ddb.toml": strings.Replace(loosePattern, "NAME", c.at, 1), "t.yaml": ordersTemplate})
			r := Paths([]string{"p.ddb.toml", "t.yaml"}, Options{})
			var errs []string
			for _, l := range outcome(r) {
				if strings.HasPrefix(l, "error") {
					errs = append(errs, l)
				}
			}
			if got := strings.Join(errs, "\n"); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			attached := 0
			for _, tb := range r.Tables {
				attached += len(tb.Patterns.Items)
				if tb.Declared != (len(tb.Patterns.Items) > 0) {
					t.Errorf("%s: declared %v with %d patterns", tb.DisplayName(), tb.Declared, len(tb.Patterns.Items))
				}
			}
			if want := map[bool]int{true: 1, false: 0}[c.want == ""]; attached != want || len(r.Patterns) > 0 {
				t.Errorf("%d patterns attached and %d left over, want %d and 0", attached, len(r.Patterns), want)
			}
		})
	}
}

func TestPatternOfATableDescribedTwice(t *testing.T) {
	inFolder(t, map[string]string{
		"p.ddb.toml": strings.Replace(loosePattern, "NAME", "Events", 1), "a.json": createText, "b.json": createText,
	})
	check(t, Paths([]string{"p.ddb.toml", "a.json", "b.json"}, Options{}),
		"Events create-table a.json", "Events create-table b.json",
		`error p.ddb.toml:4:9: table "Events" is described more than once, at a.json:1:1 and at b.json:1:1; give one of them`)
}

// What a pattern names in its table is checked once the table is there.
func TestPatternOfOtherFileNamesAnEntity(t *testing.T) {
	text := strings.Replace(loosePattern, "NAME", "orders-prod\"\nentity = \"Order\"\nindex = \"byStat", 1)
	inFolder(t, map[string]string{"p.ddb.toml": text, "t.yaml": ordersTemplate})
	r := Paths([]string{"p.ddb.toml", "t.yaml"}, Options{})
	var got []string
	for _, e := range r.Errors {
		got = append(got, e.Message)
	}
	want := []string{`table "orders-prod" has no index "byStat", did you mean "byStatus"?`, `table "orders-prod" has no entity "Order", it has none`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if p := r.Tables[0].Patterns.Items[0]; !p.Entity.Unresolved() || !p.Index.Unresolved() {
		t.Error("a name that the table lacks counts as known")
	}
}

// The fixtures of this package are read by the front door too.
func TestPathsReadsTheFixtures(t *testing.T) {
	entries, err := os.ReadDir(templates)
	if err != nil {
		t.Fatal(err)
	}
	r := Paths([]string{templates}, Options{})
	byFile := map[string]bool{}
	for _, tb := range r.Tables {
		byFile[tb.At.File.Name] = true
	}
	for _, e := range r.Errors {
		byFile[e.At.File.Name] = true
	}
	for _, e := range entries {
		if name := templates + "/" + e.Name(); strings.HasSuffix(name, ".json") && strings.Contains(name, "e-") && !byFile[name] {
			t.Errorf("%s gives nothing", name)
		}
	}
	if !source.Is(tablesNamed(r.Tables, "Sessions")[0].Region, "us-east-1") {
		t.Error("Sessions is not the table of describe-global.json")
	}
}
