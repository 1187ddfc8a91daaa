package cfn

import (
	"strings"
	"testing"
)

// Single constructs, each with one fact of table T.
func TestConstructs(t *testing.T) {
	const head = "Parameters: {P: {Type: String}, R: {Type: String, Default: eu-west-1}}\n" +
		"Conditions: {Open: !Equals [!Ref P, x], All: !And [!Condition Open, !Not [!Condition Off]], Off: !Equals [!Ref P, y]}\nResources:\n"
	table := func(props string) string { return "  T: {Type: 'AWS::DynamoDB::Table', Properties: {" + props + "}}\n" }
	global := func(replicas string) string {
		return "  T: {Type: 'AWS::DynamoDB::GlobalTable', Properties: {Replicas: " + replicas + "}}\n"
	}
	target := func(props string) string {
		return "  S: {Type: 'AWS::ApplicationAutoScaling::ScalableTarget', Properties: {MinCapacity: 1, MaxCapacity: 9, " + props + "}}\n"
	}
	const readOfT = "ResourceId: !Sub 'table/${T}', ScalableDimension: 'dynamodb:table:ReadCapacityUnits'"
	for _, tt := range []struct{ name, text, key, want string }{
		{"a macro may set a property", table("TableName: t, 'Fn::Transform': {Name: M}"), "billing", "? Fn::Transform may give it"},
		{"a macro sets nothing that is written", table("TableName: t, 'Fn::Transform': {Name: M}"), "name", "t"},
		{"a macro for all properties", "  T: {Type: 'AWS::DynamoDB::Table', Properties: {'Fn::Transform': {Name: M}}}\n", "key", `... !Transform({"Name":"M"})`},
		{"no properties", "  T: {Type: 'AWS::DynamoDB::Table'}\n", "billing", "PROVISIONED*"},
		{"null is absent", table("BillingMode: null"), "billing", "PROVISIONED*"},
		{"an item by name", table("GlobalSecondaryIndexes: [!If [Open, {IndexName: g, OnDemandThroughput: {MaxReadRequestUnits: 1}}, {IndexName: g, OnDemandThroughput: {MaxReadRequestUnits: 2}}]]"), "g.max", "? depends on condition Open -"},
		{"arms with different names", table("GlobalSecondaryIndexes: [!If [Open, {IndexName: g}, {IndexName: h}]]"), "gsis", "[... depends on condition Open]"},
		{"alike arms agree", table("Tags: !If [Open, [{Key: a, Value: b}], [{Value: b, Key: a}]]"), "tags", "[a=b]"},
		{"a key from an expression", table("AttributeDefinitions: [{AttributeName: !Sub '${P}k', AttributeType: N}], KeySchema: [{AttributeName: !Join ['', [!Ref P, k]], KeyType: HASH}]"), "key", "HASH ? !Ref P has no default:N"},
		{"definitions under a condition", table("AttributeDefinitions: [!If [Open, {AttributeName: k, AttributeType: N}, !Ref AWS::NoValue]], KeySchema: [{AttributeName: k, KeyType: HASH}]"), "key", "HASH k:? depends on condition Open"},
		{"scale by join", table("") + target("ServiceNamespace: dynamodb, "+readOfT), "scale_read", "1..9@-"},
		{"an unknown id", table("") + target("ResourceId: !ImportValue x, ScalableDimension: 'dynamodb:table:ReadCapacityUnits'"), "scale_read", "? scalable target S may be this table's: !ImportValue x"},
		{"an unknown id of the other dimension", table("") + target("ResourceId: !ImportValue x, ScalableDimension: 'dynamodb:table:ReadCapacityUnits'"), "scale_write", "-"},
		{"an unknown dimension", table("") + target("ResourceId: !Sub 'table/${T}', ScalableDimension: !Ref P"), "scale_write", "? scalable target S may be this table's: !Ref P has no default"},
		{"a name that cannot match", table("TableName: orders") + target("ResourceId: !Sub 'table/${P}-users', ScalableDimension: 'dynamodb:table:ReadCapacityUnits'"), "scale_read", "-"},
		{"a name that may match", table("TableName: a-users") + target("ResourceId: !Sub 'table/${P}-users', ScalableDimension: 'dynamodb:table:ReadCapacityUnits'"), "scale_read", "? scalable target S may be this table's: !Ref P has no default"},
		{"an index that may match", table("GlobalSecondaryIndexes: [{IndexName: g}]") + target("ResourceId: !Sub 'table/${T}/index/${P}', ScalableDimension: 'dynamodb:index:ReadCapacityUnits'"), "g.scale_read", "? scalable target S may be this table's: !Ref P has no default"},
		{"an index of a longer name", table("GlobalSecondaryIndexes: [{IndexName: g}]") + target("ResourceId: !Sub 'table/${T}/index/g2', ScalableDimension: 'dynamodb:index:ReadCapacityUnits'"), "g.scale_read", "-"},
		{"a shared condition", "  T: {Type: 'AWS::DynamoDB::Table', Condition: All}\n" +
			strings.Replace(target(readOfT), "Properties", "Condition: Open, Properties", 1), "scale_read", "1..9@-"},
		{"an included snippet may scale", table("") + "  Fn::Transform: {Name: 'AWS::Include'}\n", "scale_read", "? Fn::Transform may add resources"},
		{"a replica of an unknown table", table("") + "  X: {Type: 'Custom::DynamoDBReplica', Properties: {TableName: !Ref P, Region: a}}\n", "replicas", "[... resource X adds a replica to a table that is not known]"},
		{"a replica under a condition", table("") + "  X: {Type: 'Custom::DynamoDBReplica', Condition: Open, Properties: {TableName: !Ref T, Region: a}}\n", "replicas", "[... depends on condition Open]"},
		{"a replica of a parameter's Region", table("") + "  X: {Type: 'Custom::DynamoDBReplica', Properties: {TableName: !Ref T, Region: !Ref R}}\n", "replicas", "[eu-west-1]"},
		{"replicas under a condition", global("[{Region: a}, !If [Open, {Region: b, TableClass: STANDARD}, !Ref AWS::NoValue]]"), "pitr", "? depends on condition Open"},
		{"replicas that agree on a default", global("[{Region: a, TableClass: STANDARD}, {Region: b}]"), "class", "STANDARD"},
		{"read settings for all replicas", "  T: {Type: 'AWS::DynamoDB::GlobalTable', Properties: {ReadProvisionedThroughputSettings: {ReadCapacityUnits: 4}, Replicas: [{Region: a}]}}\n", "a.read", "4 - -"},
		{"tags of all replicas", global("[{Region: a, Tags: [{Key: k, Value: v}]}, {Region: b, Tags: [{Key: k, Value: v}]}]"), "tags", "[k=v]"},
		{"a key of all replicas", "  T: {Type: 'AWS::DynamoDB::GlobalTable', Properties: {SSESpecification: {SSEEnabled: true}, Replicas: [{Region: a, SSESpecification: {KMSMasterKeyId: alias/k}}, {Region: b, SSESpecification: {KMSMasterKeyId: alias/k}}]}}\n", "kms", "alias/k"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, errs := loadText(t, "t.yaml", head+tt.text, nil)
			if len(errs) > 0 {
				t.Errorf("diagnostics: %v", errs)
			}
			if got["T"][tt.key] != tt.want {
				t.Errorf("%s is %q, want %q", tt.key, got["T"][tt.key], tt.want)
			}
		})
	}
}
