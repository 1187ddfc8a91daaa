package load

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// loadModel reads a fixture or, where the text begins with {, that text.
func loadModel(t testing.TB, text string) Result {
	t.Helper()
	name := "model.json"
	if !strings.HasPrefix(text, "{") {
		data, err := os.ReadFile("../../fixtures/templates/" + text)
		if err != nil {
			t.Fatal(err)
		}
		name, text = text, string(data)
	}
	return Bytes(name, []byte(text), Options{})
}

func showScaling(v source.Value[table.ScalingTarget]) string {
	s, ok := v.Get()
	if !ok {
		return show(v)
	}
	return show(s.Min) + ".." + show(s.Max) + "@" + show(s.Percent)
}

// modelFacts writes what a model can say of a table, and that the rest is
// absent and not unresolved.
func modelFacts(t *table.Table) map[string]string {
	f := map[string]string{
		"type": t.ResourceType, "id": t.LogicalName, "at": t.At.String(), "name": show(t.Name), "key": showKey(t.Key),
		"billing": show(t.Billing), "units": showPair(t.Capacity), "read": showScaling(t.Scaling.Read), "write": showScaling(t.Scaling.Write),
		"rest": strings.Join([]string{
			show(t.TTL.Attribute), show(t.TTL.Enabled), show(t.StreamView), show(t.PITR), show(t.DeletionProtection), show(t.Class), show(t.KMSKey), show(t.Region),
		}, " "),
	}
	for _, d := range t.Attributes.Items {
		f["defs"] += show(d.Name) + ":" + show(d.Type) + " "
	}
	for _, ix := range t.Indexes() {
		f[string(ix.Kind)+" "+show(ix.Name)] = showKey(ix.Key) + " " + show(ix.Projection) + " " + showPair(ix.Capacity) + " " + showScaling(ix.Scaling.Read)
		for _, a := range ix.NonKey.Items {
			f[string(ix.Kind)+" "+show(ix.Name)] += " +" + show(a)
		}
	}
	return f
}

func TestModelFacts(t *testing.T) {
	const none = "- - - - - - - -"
	for name, want := range map[string][]map[string]string{
		"workbench-v1.json": {{
			"type": "nosql-workbench", "id": "Loans", "at": "workbench-v1.json:5:5", "name": "Loans", "key": "HASH PK:S, RANGE SK:N",
			"billing": "?", "units": "-/-", "read": "-", "write": "-", "rest": none, "defs": "PK:S SK:N branch:S ",
			"GSI by-branch": "HASH branch:S INCLUDE -/- - +due",
		}},
		"workbench-v3.json": {{
			"type": "nosql-workbench", "id": "Scores", "at": "workbench-v3.json:5:5", "name": "Scores", "key": "HASH player:S",
			"billing": "PROVISIONED", "units": "6/2", "read": "2..20@65.5", "write": "-", "rest": none, "defs": "player:S best:N ",
			"GSI by-best": "HASH best:N KEYS_ONLY ?/? ?",
		}, {
			"type": "nosql-workbench", "id": "Log", "at": "workbench-v3.json:22:5", "name": "Log", "key": "HASH day:S, RANGE at:N",
			"billing": "PAY_PER_REQUEST", "units": "-/-", "read": "-", "write": "-", "rest": none, "defs": "day:S at:N ",
		}},
	} {
		r := loadModel(t, name)
		var got []map[string]string
		for _, tb := range r.Tables {
			got = append(got, modelFacts(tb))
		}
		if d := cmp.Diff(want, got); d != "" || len(r.Errors) > 0 {
			t.Errorf("%s (-want +got)\n%s%v", name, d, r.Errors)
		}
	}
}

// Sizes by hand: v1 items are PK(2)+2 + SK(2)+2 = 8, and branch(6)+5 = 19; the
// fourth is no DynamoDB JSON and has no size. v3: player(6)+3 + best(4)+2 = 15
// (12 is one pair of digits and a byte), and player(6)+3 = 9; ann is in two
// facets and one item.
func TestModelProfile(t *testing.T) {
	v1, v3 := loadModel(t, "workbench-v1.json"), loadModel(t, "workbench-v3.json")
	for _, c := range []struct {
		id        string
		got, want *table.Profile
	}{
		{"v1", v1.Tables[0].Profile, &table.Profile{
			Items: 4, Source: table.FromModel, Size: [4]int64{19, 19, 19, 19},
			Keys: []table.KeyProfile{{Attribute: "PK", Distinct: 2, TopShare: 0.75}, {Attribute: "SK", Distinct: 3, TopShare: 0.5}, {Attribute: "branch", Distinct: 2, TopShare: 2. / 3}},
		}},
		{"v3", v3.Tables[0].Profile, &table.Profile{
			Items: 2, Source: table.FromModel, Size: [4]int64{9, 15, 15, 15},
			Keys: []table.KeyProfile{{Attribute: "player", Distinct: 2, TopShare: 0.5}, {Attribute: "best", Distinct: 1, TopShare: 1}},
		}},
		{"no items", v3.Tables[1].Profile, nil},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.id, d)
		}
	}
}

func TestModelFaults(t *testing.T) {
	for _, c := range []struct{ id, table, want string }{
		{"no name", `{"KeyAttributes": {"PartitionKey": {"AttributeName": "a", "AttributeType": "S"}}}`, "error model.json:1:35: TableName is missing"},
		{"no key", `{"TableName": "t", "KeyAttributes": {}}`, "error model.json:1:71: KeyAttributes has no PartitionKey"},
		{"no type", `{"TableName": "t", "KeyAttributes": {"PartitionKey": {"AttributeName": "a"}}}`, "error model.json:1:88: AttributeType is missing"},
		{
			"mode", `{"TableName": "t", "KeyAttributes": {"PartitionKey": {"AttributeName": "a", "AttributeType": "S"}}, "BillingMode": "FREE"}`,
			`error model.json:1:150: BillingMode is "FREE", expected PAY_PER_REQUEST or PROVISIONED`,
		},
		{
			"items", `{"TableName": "t", "KeyAttributes": {"PartitionKey": {"AttributeName": "a", "AttributeType": "S"}}, "TableData": [1]}`,
			"error model.json:1:149: an entry of TableData is 1, expected a map",
		},
	} {
		r := loadModel(t, `{"ModelName": "m", "DataModel": [ `+c.table+`]}`)
		var errs []string
		for _, e := range r.Errors {
			errs = append(errs, "error "+e.Error())
		}
		if d := cmp.Diff([]string{c.want}, errs); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.id, d)
		}
	}
}

// FuzzModel: any model gives tables or messages, and a profile that adds up.
func FuzzModel(f *testing.F) {
	for _, name := range []string{"workbench-v1.json", "workbench-v3.json"} {
		data, err := os.ReadFile("../../fixtures/templates/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add(`{"ModelName": null, "DataModel": [{"TableName": "t", "TableData": [{"a": {"S": "\ud800"}}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := Bytes("model.json", []byte(text), Options{})
		for _, tb := range r.Tables {
			p := tb.Profile
			if p == nil || p.Source != table.FromModel {
				continue
			}
			for _, k := range p.Keys {
				if p.Items < 1 || k.Distinct < 1 || k.Distinct > p.Items || k.TopShare <= 0 || k.TopShare > 1 {
					t.Fatalf("profile %+v", p)
				}
			}
		}
	})
}
