package cfn

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each fixture with the facts expected of it, by table; what is not listed is
// covered elsewhere.
var expected = []struct {
	file   string
	params map[string]string
	tables map[string]facts
	errs   []string
}{
	{file: "intrinsics.yaml", tables: map[string]facts{
		"ShortForm": {
			"name": "dev-orders-${raw}", "key": "HASH tenant:S, RANGE order:N", "gsis": "[by-owner]",
			"defs":                "[tenant:S, order:N, ? !Ref Owner has no default:B]",
			"by-owner.key":        "HASH ? !Ref Owner has no default:B", // the definition has the same expression
			"by-owner.projection": "INCLUDE [tenant, order]", "by-owner.units": "7 4",
			"rcu": "2", "wcu": "9", "billing": "PROVISIONED*",
			"class": `? !Ref Stored is read from SSM parameter "/orders/mode"`, "kms": "? !GetAtt Key.Arn",
		},
		"LongForm": {
			"name": "? !Ref AWS::Region is known only when deployed", "billing": "? !ImportValue shared-billing",
			"key": "HASH id:? !Ref Owner has no default", "stream": "? !Unheard x", "tags": "[team=a:b, stage=dev]",
			"ttl": "? {{resolve:ssm:/ttl}}", "ttl_on": "true", "protected": `? !Transform({"Name":"Guard"})`,
		},
	}},
	{
		file: "intrinsics.yaml",
		params: map[string]string{
			"Stage": "prod", "Owner": "mail", "Reads": "11", "KeyNames": "tenant,order", "Writes": "1, 2", "AWS::Region": "eu-west-1",
		},
		tables: map[string]facts{
			"ShortForm": {
				"name": "prod-orders-${raw}", "rcu": "20", "by-owner.key": "HASH mail:B", "by-owner.units": "11 2",
				"region": "eu-west-1*",
			},
			"LongForm": {"name": "aprod-eu-west-1", "tags": "[team=a:b, stage=prod]"},
		},
	},
	{file: "conditions.yaml", tables: map[string]facts{
		"Decided": {
			"name": "known", "billing": "PAY_PER_REQUEST", "class": "STANDARD_INFREQUENT_ACCESS", "protected": "false",
			"condition": "-",
		},
		"Undecided": {
			"name": "? depends on condition Both", "defs": "[id:S, ... depends on condition IsOpen]", "key": "HASH id:S",
			"billing": "PROVISIONED", "rcu": "5", "wcu": "? depends on condition IsOpen", "stream": "NEW_IMAGE",
			"gsis": "[byId, ... depends on condition IsOpen]", "pitr": "? depends on condition IsOpen",
		},
		"WholeList":    {"lsis": "[one, ... depends on condition IsOpen]", "gsis": "[]", "name": "? generated name"},
		"NotByDefault": {"condition": "false", "name": "prod-table", "deletion": "Retain", "replace": "Snapshot", "at": "57:3"},
		"Perhaps":      {"condition": "? depends on condition IsOpen", "name": "open-table"},
	}},
	{file: "conditions.yaml", params: map[string]string{"Mode": "open", "Stage": "prod"}, tables: map[string]facts{
		"Decided":      {"name": "known", "billing": "PROVISIONED", "protected": "true"},
		"Undecided":    {"name": "b", "gsis": "[byId, byMail]", "byMail.key": "HASH mail:S", "wcu": "10", "pitr": "true"},
		"WholeList":    {"lsis": "[one, two]"},
		"NotByDefault": {"condition": "true"}, "Perhaps": {"condition": "true"},
	}},
	{
		file:   "condition-cycle.yaml",
		tables: map[string]facts{"T": {"name": "t", "billing": "? depends on condition B"}},
		errs:   []string{"2:3 conditions depend on each other: A -> B -> C -> A"},
	},
	// O51: write capacity at the top, read capacity in each replica.
	{file: "global-table.yaml", tables: map[string]facts{
		"Ledger": {
			"rcu": "-", "wcu": "-", "scale_write": "10..400@65.5", "scale_read": "? differs per replica",
			"byDay.scale_write": "1..50@70", "byDay.scale_read": "? differs per replica", "byDay.units": "- -",
			"pitr": "true", "protected": "? differs per replica", "class": "STANDARD_INFREQUENT_ACCESS",
			"consistency": "STRONG", "witnesses": "[us-west-2]", "replicas": "[us-east-1, us-east-2]",
			"us-east-1.set": "STANDARD_INFREQUENT_ACCESS true true", "us-east-2.set": "STANDARD_INFREQUENT_ACCESS true -",
			"us-east-1.read": "- - 5..100@70", "us-east-2.read": "40 - -", "us-east-1.byDay": "15 - -",
			"us-east-2.byDay": "- - 2..20@50", "kms": "? differs per replica", "tags": "[team=ledger, ... differs per replica]",
			"stream": "NEW_AND_OLD_IMAGES", "key": "HASH account:S, RANGE day:N",
		},
		"OnDemand": {
			"billing": "PAY_PER_REQUEST", "max_read": "-", "max_write": "900", "warm_read": "12000", "warm_write": "4000",
			"pitr": "false*", "protected": "false*", "class": "STANDARD*", "consistency": "EVENTUAL*",
			"eu-west-1.read": "- 300 -", "eu-north-1.read": "- - -", "scale_read": "-", "scale_write": "-",
		},
	}},
	{file: "simple-table.yaml", tables: map[string]facts{
		"Bare": {
			"key": "HASH* id*:S*", "defs": "[id*:S*]", "billing": "PAY_PER_REQUEST*", "kms": "alias/app",
			"rcu": "-", "wcu": "-", "type": "AWS::Serverless::SimpleTable", "class": "STANDARD*", "ttl_on": "false*",
		},
		"Full": {
			"name": "members", "key": "HASH* member:N", "billing": "PROVISIONED*", "rcu": "20", "wcu": "10", "kms": "-",
			"tags": "[team=club, stage=test]", "pitr": "true",
		},
		"Open": {"key": "HASH* hash:B", "billing": "? depends on condition IsFixed", "rcu": "? depends on condition IsFixed"},
	}},
	// O52: exact match after resolution; "users" is not "users-archive".
	{file: "scaling.yaml", tables: map[string]facts{
		"Users": {
			"scale_read": "5..500@70", "scale_write": "-", "by-mail.scale_read": "-", "by-mail.scale_write": "1..50@60",
		},
		"Archive": {
			"scale_read": "-", "scale_write": "? depends on condition HasExtra", "by-mail.scale_write": "-",
		},
		"Generated": {"scale_read": "-", "scale_write": "2..20@-"},
		"Staged":    {"scale_read": "3..30@-", "scale_write": "-", "name": "? !Ref Stage has no default"},
	}},
	{
		file: "scaling-unknown.yaml",
		tables: map[string]facts{
			"Orders": {
				"scale_read":  "? scalable target AnyRead may be this table's: !Ref TableOfOtherStack has no default",
				"scale_write": "-",
			},
			"ByArn": {"scale_write": "-"}, // O52: the ARN form never attaches
		},
		errs: []string{`25:19 ResourceId of "ArnWrite" holds a table's ARN, expected table/ and the table's name: the target never attaches`},
	},
	{
		file: "scaling-unknown.yaml", params: map[string]string{"TableOfOtherStack": "orders"},
		tables: map[string]facts{"Orders": {"scale_read": "3..30@-"}, "ByArn": {"scale_read": "-"}},
		errs:   []string{`25:19 ResourceId of "ArnWrite" holds a table's ARN, expected table/ and the table's name: the target never attaches`},
	},
	{file: "custom-replica.json", tables: map[string]facts{
		"Carts": {"replicas": "[us-east-2]", "name": "? generated name"}, "Other": {"replicas": "[eu-west-3]"},
	}},
	{file: "compound-keys.json", tables: map[string]facts{"Results": {
		"byCompany.key": "HASH company:S, HASH kind:S, RANGE at:N, RANGE id:S", "byCompany.projection": "INCLUDE [score]",
		"at": "3:5",
	}}},
	{
		file: "foreach.yaml",
		tables: map[string]facts{
			"CartTable": {
				"name": "shop-Cart", "key": "HASH Cart:S", "at": "9:7",
				"scale_read": "? the resources of Fn::ForEach::Unknown are not known",
			},
			"OrderTable": {"name": "shop-Order", "key": "HASH Order:S"},
			"Ta1X":       {"name": "a-1-X"}, "TbX": {"name": "b-X"},
		},
		errs: []string{"30:7 what Fn::ForEach::Unknown repeats is not read, because its list is not known: !Ref Later has no default"},
	},
	{file: "foreach.yaml", params: map[string]string{"Names": "Solo", "Later": ""}, tables: map[string]facts{
		"SoloTable": {"name": "shop-Solo", "scale_read": "-"}, "Ta1X": {}, "TbX": {},
	}},
	// O17.
	{file: "billing-matrix.yaml", tables: map[string]facts{
		"A": {"billing": "PROVISIONED*", "rcu": "-", "wcu": "-"},
		"B": {"billing": "PAY_PER_REQUEST", "rcu": "5", "wcu": "5"},
		"C": {"billing": "PAY_PER_REQUEST", "rcu": "0", "wcu": "0"},
		"D": {"billing": "PAY_PER_REQUEST", "rcu": "-", "g.units": "1 1"},
		"E": {"billing": "PAY_PER_REQUEST*", "rcu": "-"},
	}},
	// O16: every fault stays visible, and what hangs on a parameter is unknown.
	{file: "key-faults.yaml", tables: map[string]facts{
		"Unused":    {"defs": "[AAA:S, BBB:S, CCC:BOOL]", "key": "HASH AAA:S", "byStatus.key": "HASH AAA:S, RANGE Status:-"},
		"Backwards": {"key": "RANGE BBB:? !Ref Sort has no default, HASH AAA:S"},
	}},
	{file: "settings.yaml", tables: map[string]facts{
		"Everything": {
			"name": "everything", "rcu": "5", "wcu": "5", "max_read": "1000", "max_write": "-", "warm_read": "13000",
			"warm_write": "5000", "ttl": "expires", "ttl_on": "true", "stream": "OLD_IMAGE", "pitr": "true", "protected": "false",
			"class": "STANDARD_INFREQUENT_ACCESS", "kms": "alias/mine", "tags": "[team=core]", "deletion": "Retain",
			"replace": "Delete", "vectors": "[byMeaning:embedding:1024]", "g.max": "10 -", "g.warm": "- 4000",
			"region": "? the stack's region", "replicas": "[]", "scale_read": "-", "consistency": "-",
		},
		"AwsKey": {"kms": "-", "ttl": "expires", "ttl_on": "false", "stream": "-", "pitr": "false*", "protected": "false*"},
	}},
	{
		file: "wrong-shapes.yaml",
		tables: map[string]facts{
			"Shapes": {
				"billing": `? written as "BilingMode"`, "key": "? expected one of HASH, RANGE id:? a list was expected",
				"rcu": "? a map was expected", "stream": "EVERYTHING",
				"pitr": "? expected true or false", "defs": "[... a list was expected]",
			},
			"Units":  {"rcu": "? expected a whole number", "wcu": "? expected a whole number"},
			"Args":   {"name": "? !If cannot be read", "billing": "? depends on condition Missing"},
			"Global": {}, "Fine": {"name": "fine", "billing": "PAY_PER_REQUEST", "key": "HASH id:S"},
		},
		errs: []string{
			`2:34 parameter "Reads" is a Number, found "many"`,
			`7:7 unknown property "BilingMode" of AWS::DynamoDB::Table; did you mean "BillingMode"`,
			`8:29 found a map, expected a list`,
			`10:40 found text "PARTITION", expected one of HASH, RANGE`,
			`11:30 found a list, expected a map`,
			`13:70 found text "maybe", expected true or false`,
			`18:50 found text "abc", expected a whole number`,
			`18:75 found a number (5.5), expected a whole number`,
			`19:49 found a number (012), expected a whole number without a leading zero`,
			`23:18 found 2 arguments of Fn::If, expected [condition, value if true, value if false]`,
			`24:25 condition "Missing" is not declared`,
			`25:31 Mappings has no key "None"`,
			`26:9 found nothing, expected a resource: a map with Type`,
			`27:3 resource "NoType" has no Type`,
			`30:11 unknown resource type "AWS::DynamoDB::Tabel"; did you mean "AWS::DynamoDB::Table"`,
			`34:7 found "PointInTimeRecoverySpecification" at the top of an AWS::DynamoDB::GlobalTable, expected it in each of Replicas`,
		},
	},
}

func TestFixtures(t *testing.T) {
	for _, tt := range expected {
		name := tt.file
		if tt.params != nil {
			name += "/parameters"
		}
		t.Run(name, func(t *testing.T) {
			got, errs := loadFixture(t, tt.file, tt.params)
			if d := cmp.Diff(tt.errs, errs); d != "" {
				t.Errorf("diagnostics (-want +got):\n%s", d)
			}
			if d := cmp.Diff(sortedNames(tt.tables), sortedNames(got)); d != "" {
				t.Errorf("tables (-want +got):\n%s", d)
			}
			for id, want := range tt.tables {
				for key, w := range want {
					if g := got[id][key]; g != w {
						t.Errorf("%s %s: got %q, want %q", id, key, g, w)
					}
				}
			}
		})
	}
}

func TestOverrides(t *testing.T) {
	const text = `
Parameters:
  Reads: {Type: Number, Default: 5}
  Stage: {Type: String, Default: dev, AllowedValues: [dev, prod]}
Resources: {}
`
	for _, tt := range []struct {
		name, key, value string
		want             []string
	}{
		{"known", "Reads", "8", nil},
		{"no number", "Reads", "x", []string{`3:3 parameter "Reads" is a Number, found "x"`}},
		{"not allowed", "Stage", "test", []string{`4:54 parameter "Stage" was given as "test", expected one of dev, prod`}},
		{"pseudo", "AWS::StackName", "s", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, errs := loadText(t, "t.yaml", text, map[string]string{tt.key: tt.value})
			if d := cmp.Diff(tt.want, errs); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"Resources: {T: {Type: 'AWS::DynamoDB::Table'}}": true,
		"AWSTemplateFormatVersion: x":                    true,
		"{Transform: T, Resources: {}}":                  true,
		"Resources: {T: {Type: table}}":                  false,
		"resources: {T: {Type: 'AWS::DynamoDB::Table'}}": false,
		"Transform: x": false,
		"[1]":          false,
		"Resources: [{Type: 'AWS::DynamoDB::Table'}]":     false,
		"{Resources: {R: {Type: 'Custom::X'}}, other: 1}": true,
	} {
		if got := Is(parse(t, "t.yaml", []byte(text))); got != want {
			t.Errorf("Is(%s) = %v, want %v", text, got, want)
		}
	}
}

// A long and a short form, and JSON and YAML, are the same template.
func TestFormsAgree(t *testing.T) {
	wrap := func(name string) string {
		return `{"Parameters": {"P": {"Type": "String"}, "D": {"Type": "String", "Default": "d"}}, "Resources": {"T": ` +
			`{"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": ` + name + `}}}}`
	}
	for short, long := range map[string]string{
		`!Ref D`:                         `{"Ref": "D"}`,
		`!Ref P`:                         `{"Ref": "P"}`,
		`!GetAtt A.B.C`:                  `{"Fn::GetAtt": ["A", "B.C"]}`,
		`!Join ["-", [a, !Ref D]]`:       `{"Fn::Join": ["-", ["a", {"Ref": "D"}]]}`,
		`!Select [1, !Split ["/", a/b]]`: `{"Fn::Select": ["1", {"Fn::Split": ["/", "a/b"]}]}`,
		`!Sub ["${x}-${D}", {x: 1}]`:     `{"Fn::Sub": ["${x}-${D}", {"x": "1"}]}`,
	} {
		a, errsA := loadText(t, "t.yaml", wrap(short), nil)
		b, errsB := loadText(t, "t.json", wrap(long), nil)
		if d := cmp.Diff(a, b); d != "" || len(errsA)+len(errsB) > 0 {
			t.Errorf("%s (-short +long): %s %v %v", short, d, errsA, errsB)
		}
	}
}

// A node that the caller could not resolve is unknown, for that reason.
func TestUnknownTag(t *testing.T) {
	got, _ := loadText(t, "t.yaml", "Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: !ddbvet/unknown 'opt:stage'}}}", nil)
	if got["T"]["name"] != "? opt:stage" {
		t.Errorf("name is %q", got["T"]["name"])
	}
}

// A template that unfolds without end is one diagnostic, quickly.
func TestHostile(t *testing.T) {
	nested := strings.Repeat("{Fn::If: [C, ", 200) + "x" + strings.Repeat(", y]}", 200)
	loops := "Fn::ForEach::L: [a, [1,2,3,4,5,6,7,8,9], {"
	for name, text := range map[string]string{
		"nested conditions": "Parameters: {P: {Type: String}}\nConditions: {C: !Equals [!Ref P, x]}\n" +
			"Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: " + nested + "}}}",
		"nested loops":   "Resources: {" + strings.Repeat(loops, 12) + "x: {Type: 'AWS::DynamoDB::Table'}" + strings.Repeat("}]", 12) + "}",
		"name of itself": "Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: !Ref T}}}",
		"names of each other": "Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: !Sub '${U}${U}'}}, " +
			"U: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: !Sub '${T}${T}'}}}",
	} {
		tables, errs := loadText(t, "t.yaml", text, nil)
		if name == "nested loops" && len(errs) == 0 || name != "nested loops" && tables["T"] == nil {
			t.Errorf("%s: %d tables, %v", name, len(tables), errs)
		}
		if slices.ContainsFunc(errs, func(s string) bool { return strings.HasPrefix(s, "0:0") }) {
			t.Errorf("%s: a diagnostic without a place: %v", name, errs)
		}
	}
}
