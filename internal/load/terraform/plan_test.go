package terraform

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const fixtures = "../../../fixtures/templates/"

// loadPlan reads a document into facts by address, and its errors.
func loadPlan(t testing.TB, name string, data []byte) (map[string]facts, []string) {
	t.Helper()
	doc, d := node.ParseJSON(source.NewFile(name, data))
	if d != nil {
		t.Fatal(d)
	}
	if !IsPlan(doc) {
		t.Fatalf("%s: not taken for a plan", name)
	}
	tables, errs := LoadPlan(doc)
	out := map[string]facts{}
	for _, tb := range tables {
		if out[tb.LogicalName] != nil {
			t.Errorf("table %s was read twice", tb.LogicalName)
		}
		out[tb.LogicalName] = factsOf(tb)
	}
	var messages []string
	for _, e := range errs {
		messages = append(messages, e.Error())
	}
	return out, messages
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(fixtures + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// facts is a table as text: "v" is written, "v*" is a default, "-" is absent
// and "? why" is unresolved.
type facts map[string]string

func fact[T any](v source.Value[T]) string {
	x, ok := v.Get()
	switch {
	case v.Unresolved():
		return "? " + v.Why
	case !ok:
		return "-"
	case v.Written():
		return fmt.Sprint(x)
	}
	return fmt.Sprint(x) + "*"
}

func scalingFact(s table.AutoScaling) string {
	one := func(v source.Value[table.ScalingTarget]) string {
		if x, ok := v.Get(); ok {
			return fact(x.Min) + ".." + fact(x.Max) + "@" + fact(x.Percent)
		}
		return fact(v)
	}
	return one(s.Read) + " " + one(s.Write)
}

func pairFact(t table.Throughput) string { return fact(t.Read) + "/" + fact(t.Write) }

func keyFact(k table.Key) string {
	parts := []string{}
	for _, e := range k.Elements {
		parts = append(parts, fact(e.Role)+" "+fact(e.Name)+":"+fact(e.Type))
	}
	if k.Incomplete != "" {
		parts = append(parts, "... "+k.Incomplete)
	}
	return strings.Join(parts, ", ")
}

func listFact[T any](l source.List[T], item func(T) string) string {
	parts := []string{}
	for _, it := range l.Items {
		parts = append(parts, item(it))
	}
	if l.Incomplete != "" {
		parts = append(parts, "... "+l.Incomplete)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func indexFact(ix *table.Index) string {
	return fact(ix.Name) + " (" + keyFact(ix.Key) + ") " + fact(ix.Projection) + listFact(ix.NonKey, fact[string]) + " " + pairFact(ix.Capacity) +
		" max " + pairFact(ix.MaxOnDemand) + " scaling " + scalingFact(ix.Scaling)
}

func factsOf(t *table.Table) facts {
	f := facts{
		"at":   fmt.Sprintf("%d:%d", t.At.Start.Line, t.At.Start.Col),
		"name": fact(t.Name), "region": fact(t.Region), "key": keyFact(t.Key), "billing": fact(t.Billing),
		"units": pairFact(t.Capacity), "max": pairFact(t.MaxOnDemand), "warm": pairFact(t.Warm), "scaling": scalingFact(t.Scaling),
		"class": fact(t.Class), "ttl": fact(t.TTL.Attribute) + " " + fact(t.TTL.Enabled), "stream": fact(t.StreamView),
		"pitr": fact(t.PITR), "protected": fact(t.DeletionProtection), "kms": fact(t.KMSKey),
		"consistency": fact(t.Consistency), "condition": fact(t.Condition), "deletion": fact(t.DeletionPolicy),
		"defs":      listFact(t.Attributes, func(a table.AttributeDef) string { return fact(a.Name) + ":" + fact(a.Type) }),
		"tags":      listFact(t.Tags, func(a table.Tag) string { return fact(a.Key) + "=" + fact(a.Value) }),
		"witnesses": listFact(t.Witnesses, fact[string]),
		"gsis":      listFact(t.GSIs, indexFact), "lsis": listFact(t.LSIs, indexFact),
		"replicas": listFact(t.Replicas, func(r table.Replica) string {
			return fact(r.Region) + " " + fact(r.Class) + " " + fact(r.PITR) + " " + fact(r.DeletionProtection)
		}),
	}
	if t.ResourceType != TypeTable {
		f["type"] = t.ResourceType
	}
	return f
}

// plain are the facts of a table of which nothing is set; a case writes what
// differs.
func plain(with facts) facts {
	f := facts{
		"region": "? the provider's region", "billing": "PROVISIONED*", "units": "-/-", "max": "-/-", "warm": "-/-", "scaling": "- -",
		"class": "STANDARD*", "ttl": "- false*", "stream": "-", "pitr": "false*", "protected": "false*", "kms": "-",
		"consistency": "-", "condition": "-", "deletion": "-", "defs": "[]", "tags": "[]", "witnesses": "[]", "gsis": "[]", "lsis": "[]", "replicas": "[]",
	}
	for k, v := range with {
		f[k] = v
	}
	return f
}

func TestPlanFacts(t *testing.T) {
	got, errs := loadPlan(t, "tf-plan.json", fixture(t, "tf-plan.json"))
	want := map[string]facts{
		"aws_dynamodb_table.literal": plain(facts{
			"at": "8:9", "name": "literal", "region": "eu-central-1", "key": "HASH id:S", "billing": "PROVISIONED", "units": "7/3", "warm": "12000/4000",
			"scaling": "- 3..30@62.5", "ttl": "gone true", "stream": "NEW_IMAGE", "pitr": "true", "protected": "true", "kms": "alias/aws/dynamodb*",
			"defs": "[id:S, at:N]", "tags": "[team=core]", "consistency": "EVENTUAL*", "replicas": "[eu-west-3 - true false*]",
			"lsis": "[by-at (HASH id:S, RANGE at:N) KEYS_ONLY[] -/- max -/- scaling - -]",
		}),
		`aws_dynamodb_table.many["a"]`: plain(facts{
			"at": "19:9", "name": "? known after apply: random_pet.x[each.key].id", "region": "eu-central-1", "key": "HASH pk:S",
			"billing": "PAY_PER_REQUEST", "max": "500/-", "defs": "[pk:S]", "pitr": "? known after apply", "kms": "? known after apply",
			"ttl": "? known after apply ? known after apply", "tags": "[... known after apply]", "consistency": "EVENTUAL*",
			"replicas": "[eu-west-3 STANDARD_INFREQUENT_ACCESS false* false*]",
		}),
		`aws_dynamodb_table.many["b.c"]`: plain(facts{
			"at": "23:9", "name": "? known after apply: random_pet.x[each.key].id", "region": "eu-central-1", "key": "HASH pk:S", "defs": "[pk:S]",
			"billing": "? known after apply: random_shuffle.m.result", "class": "? known after apply: random_shuffle.m.result",
			"replicas": "[... known after apply]",
		}),
		"module.store[0].aws_dynamodb_table.t[0]": plain(facts{
			"at": "44:12", "name": "? known after apply: random_pet.x", "region": "eu-central-1", "key": "HASH pk:S, RANGE sk:S", "billing": "PROVISIONED",
			"units": "10/? known after apply: module.store[0].var.units", "scaling": "10..100@70 -", "defs": "[pk:S, sk:S, g1:S, g2:B, g3:N]",
			"tags": "[env=test, owner=? known after apply]", "consistency": "STRONG", "replicas": "[us-east-1 - true -]", "witnesses": "[us-west-2]",
			"gsis": "[one (HASH g1:S) ALL[] 4/? known after apply max -/- scaling - 1..? known after apply: module.store[0].module.scale[\"x\"].var.most@-, " +
				"two (HASH g1:S, HASH g2:B, RANGE sk:S) INCLUDE[x, ... known after apply] 2/2 max -/- scaling - -, " +
				"three (HASH g3:N) INCLUDE[y] 8/9 max -/- scaling - -]",
		}),
		`aws_dynamodb_table.later["*"]`: plain(facts{
			"at": "97:61", "name": "later", "key": "HASH id:S", "defs": "[id:S]", "condition": "? the plan defers it: instance_count_unknown",
			"gsis": "[... known after apply]",
		}),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("facts (-want +got)\n%s", d)
	}
	if len(errs) > 0 {
		t.Errorf("errors %v", errs)
	}
}

func TestStateFacts(t *testing.T) {
	got, errs := loadPlan(t, "tf-state.json", fixture(t, "tf-state.json"))
	want := map[string]facts{"aws_dynamodb_table.orders": plain(facts{
		"at": "2:3", "name": "orders", "region": "ap-southeast-2", "key": "HASH id:S", "billing": "PAY_PER_REQUEST",
		"class": "STANDARD_INFREQUENT_ACCESS", "pitr": "true", "protected": "false", "ttl": "- false", "kms": "arn:aws:kms:ap-southeast-2:111122223333:key/1",
		"defs": "[id:S, mail:S]", "tags": "[a=1, b=2]", "gsis": "[mail (HASH mail:S) ALL[] -/- max -/- scaling - -]",
		"consistency": "EVENTUAL*", "replicas": "[ap-northeast-1 - false false*]",
	})}
	if d := cmp.Diff(want, got); d != "" || len(errs) > 0 {
		t.Errorf("facts (-want +got)\n%s%v", d, errs)
	}
}

// planOf is a plan of one table with the given values and unknowns; extra is
// further members of the document.
func planOf(values, unknown, extra string) []byte {
	return []byte(`{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"aws_dynamodb_table.t","mode":"managed",
"type":"aws_dynamodb_table","name":"t","values":` + values + `}]}},
"resource_changes":[{"address":"aws_dynamodb_table.t","change":{"actions":["create"],"after_unknown":` + unknown + `}}]` + extra + `}`)
}

func TestUnknownsAreNeverDefaults(t *testing.T) {
	const wrote = `,"configuration":{"root_module":{"resources":[{"address":"aws_dynamodb_table.t","expressions":{"name":{}}}]}}`
	for _, c := range []struct{ id, values, unknown, extra, fact, want string }{
		{"billing", `{"name":"t"}`, `{"billing_mode":true}`, "", "billing", "? known after apply"},
		{"billing, left out of the configuration", `{"name":"t"}`, `{"billing_mode":true}`, wrote, "billing", "PROVISIONED*"},
		{"name, of which every table has one", `{}`, `{"name":true}`, "", "name", "? known after apply"},
		{"whole resource", `{}`, `true`, "", "billing", "? known after apply"},
		{"whole resource, keys", `{}`, `true`, "", "key", "HASH ? known after apply:? known after apply, RANGE ? known after apply:? known after apply, ... known after apply"},
		{"range key", `{"name":"t","hash_key":"id"}`, `{"range_key":true}`, "", "key", "HASH id:-, RANGE ? known after apply:? known after apply, ... known after apply"},
		{"attribute type", `{"name":"t","hash_key":"id","attribute":[{"name":"id"}]}`, `{"attribute":[{"type":true}]}`, "", "key", "HASH id:? known after apply"},
		{"attribute name", `{"name":"t","hash_key":"id","attribute":[{"type":"S"}]}`, `{"attribute":[{"name":true}]}`, "", "key", "HASH id:? known after apply"},
		{"all attributes", `{"name":"t","hash_key":"id"}`, `{"attribute":true}`, "", "key", "HASH id:? known after apply"},
		{"indexes", `{"name":"t"}`, `{"global_secondary_index":true}`, "", "gsis", "[... known after apply]"},
		{"local indexes", `{"name":"t"}`, `{"local_secondary_index":true}`, "", "lsis", "[... known after apply]"},
		{"one index", `{"name":"t","global_secondary_index":[]}`, `{"global_secondary_index":[true]}`, "", "gsis", "[... known after apply]"},
		{"ttl flag", `{"name":"t","ttl":[{"attribute_name":"x"}]}`, `{"ttl":[{"enabled":true}]}`, "", "ttl", "x ? known after apply"},
		{"pitr block, which may be dynamic", `{"name":"t"}`, `{"point_in_time_recovery":true}`, wrote, "pitr", "? known after apply"},
		{"stream", `{"name":"t","stream_view_type":"NEW_IMAGE"}`, `{"stream_enabled":true}`, "", "stream", "? known after apply"},
		{"class", `{"name":"t"}`, `{"table_class":true}`, "", "class", "? known after apply"},
		{"protection", `{"name":"t"}`, `{"deletion_protection_enabled":true}`, "", "protected", "? known after apply"},
		{"region", `{"name":"t"}`, `{"region":true}`, "", "region", "? known after apply"},
		{"tag", `{"name":"t","tags":{"a":"1"}}`, `{"tags":{"b":true}}`, "", "tags", "[a=1, b=? known after apply]"},
		{"kms key", `{"name":"t","server_side_encryption":[{"enabled":true}]}`, `{"server_side_encryption":[{"kms_key_arn":true}]}`, "", "kms", "? known after apply"},
		{"restored", `{"name":"t","restore_source_name":"old"}`, `{}`, "", "key", "... the table is restored by restore_source_name"},
		{"zero units of an unknown mode", `{"name":"t","read_capacity":0,"write_capacity":0}`, `{"billing_mode":true}`, "", "units", "-/-"},
		{"zero units", `{"name":"t","read_capacity":0,"write_capacity":0}`, `{}`, "", "units", "0/0"},
		{"numbers as text", `{"name":"t","read_capacity":"5","write_capacity":5.0}`, `{}`, "", "units", "5/5"},
	} {
		got, _ := loadPlan(t, "plan.json", planOf(c.values, c.unknown, c.extra))
		if f := got["aws_dynamodb_table.t"]; f[c.fact] != c.want {
			t.Errorf("%s: %s is %q, want %q", c.id, c.fact, f[c.fact], c.want)
		}
	}
}

// A plan without changes leaves what is unknown out: nothing missing is known.
func TestPlanWithoutChanges(t *testing.T) {
	data := `{"format_version":"0.2","planned_values":{"root_module":{"resources":[{"address":"aws_dynamodb_table.t","mode":"managed",
"type":"aws_dynamodb_table","name":"t","values":{"name":"t","hash_key":"id","range_key":null,"billing_mode":null}}]}}}`
	got, _ := loadPlan(t, "plan.json", []byte(data))
	f := got["aws_dynamodb_table.t"]
	const gap = "the plan has no resource_changes that tell it"
	for fact, want := range map[string]string{
		"billing": "PROVISIONED*", "key": "HASH id:? " + gap, "pitr": "? " + gap, "class": "? " + gap, "gsis": "[... " + gap + "]",
	} {
		if f[fact] != want {
			t.Errorf("%s is %q, want %q", fact, f[fact], want)
		}
	}
}

// Only the changes of a plan: what is deleted is not there any more.
func TestChangesAlone(t *testing.T) {
	data := `{"format_version":"1.0","resource_changes":[
{"address":"module.m.aws_dynamodb_table.a","module_address":"module.m","mode":"managed","type":"aws_dynamodb_table","name":"a",
 "change":{"actions":["create"],"before":null,"after":{"name":"a","hash_key":"id","attribute":[{"name":"id","type":"S"}]},"after_unknown":{"billing_mode":true}}},
{"address":"aws_dynamodb_table.b","mode":"managed","type":"aws_dynamodb_table","name":"b","change":{"actions":["delete"],"before":{"name":"b"},"after":null,"after_unknown":{}}}]}`
	got, errs := loadPlan(t, "plan.json", []byte(data))
	if len(got) != 1 || len(errs) > 0 || got["module.m.aws_dynamodb_table.a"]["billing"] != "? known after apply" {
		t.Errorf("%v %v", got, errs)
	}
}

func TestPlanFaults(t *testing.T) {
	for _, c := range []struct{ id, data, want string }{
		{"later format", `{"format_version":"2.0","planned_values":{}}`, `plan.json:1:19: format_version is "2.0", expected 0.1 to 1.2`},
		{"billing word", string(planOf(`{"name":"t","hash_key":"h","billing_mode":"ON_DEMAND"}`, `{}`, "")), `plan.json:2:91: billing_mode is "ON_DEMAND", expected PAY_PER_REQUEST or PROVISIONED`},
		{"units", string(planOf(`{"name":"t","hash_key":"h","read_capacity":1.5}`, `{}`, "")), `plan.json:2:92: read_capacity is 1.5, expected a whole number`},
		{"blocks", string(planOf(`{"name":"t","hash_key":"h","replica":"x"}`, `{}`, "")), `plan.json:2:86: replica is "x", expected blocks`},
		{"no key", string(planOf(`{"name":"t"}`, `{}`, "")), `plan.json:2:49: hash_key is missing`},
		{"no name", string(planOf(`{"hash_key":"h"}`, `{}`, "")), `plan.json:2:49: name is missing`},
	} {
		_, errs := loadPlan(t, "plan.json", []byte(c.data))
		if d := cmp.Diff([]string{c.want}, errs); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.id, d)
		}
	}
}

func TestIsPlan(t *testing.T) {
	for data, want := range map[string]bool{
		`{"format_version":"1.0","values":{}}`: true, `{"format_version":"1.0","terraform_version":"1.5.0"}`: true,
		`{"format_version":"1.0"}`: false, `{"values":{}}`: false, `[]`: false, `{"resource":{}}`: false,
	} {
		doc, d := node.ParseJSON(source.NewFile("x", []byte(data)))
		if d != nil || IsPlan(doc) != want {
			t.Errorf("%s: %v, want %v (%v)", data, IsPlan(doc), want, d)
		}
	}
}

// FuzzPlan: any document gives tables or messages, never a panic.
func FuzzPlan(f *testing.F) {
	for _, name := range []string{"tf-plan.json", "tf-state.json"} {
		f.Add(fixture(f, name))
	}
	f.Add(planOf(`{"name":"t"}`, `true`, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, d := node.ParseJSON(source.NewFile("plan.json", data))
		if d != nil || !IsPlan(doc) {
			return
		}
		tables, _ := LoadPlan(doc)
		for _, tb := range tables {
			if tb.LogicalName == "" || tb.Name.Absent() || tb.Billing.Absent() {
				t.Fatalf("a table without address, name or billing: %+v", tb)
			}
			factsOf(tb)
		}
	})
}
