package cfn

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

func TestArmsAreTheOtherValuesThatMakeADifference(t *testing.T) {
	const head = `
Parameters:
  Stage: {Type: String, Default: dev, AllowedValues: [dev, test, prod]}
  Mode: {Type: String}
  Size: {Type: Number, Default: 1}
Conditions:
  IsProd: !Not [!Equals [!Ref Stage, dev]]
  Big: {"Fn::And": [{"Condition": IsProd}, {"Fn::Equals": ["2", {"Ref": Size}]}]}
  Home: !Equals [!Ref "AWS::Region", eu-west-1]
  Free: !Equals [!Ref Mode, free]
Resources:
  T:
    Type: AWS::DynamoDB::Table
    Properties:
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
`
	for _, c := range []struct {
		name, property string
		given          map[string]string
		want           []string
	}{
		{"nothing hangs on a condition", "BillingMode: PAY_PER_REQUEST", nil, []string{"AWS::Region is eu-west-1"}},
		{"both other stages", "BillingMode: !If [IsProd, PROVISIONED, PAY_PER_REQUEST]", nil, []string{"Stage is test", "Stage is prod", "AWS::Region is eu-west-1"}},
		{"a given value has no other", "BillingMode: !If [IsProd, PROVISIONED, PAY_PER_REQUEST]", map[string]string{"Stage": "prod"}, []string{"AWS::Region is eu-west-1"}},
		{"one value at a time", "BillingMode: !If [Big, PROVISIONED, PAY_PER_REQUEST]", nil, []string{"AWS::Region is eu-west-1"}},
		{"one value beside a given one", "BillingMode: !If [Big, PROVISIONED, PAY_PER_REQUEST]", map[string]string{"Stage": "prod"}, []string{"Size is 2", "AWS::Region is eu-west-1"}},
		{"no default: the value and another", "BillingMode: !If [Free, PAY_PER_REQUEST, PROVISIONED]", nil, []string{"AWS::Region is eu-west-1", "Mode is free", "Mode is not free"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, bad := node.ParseYAML(source.NewFile("t.yaml", []byte(head+"      "+c.property+"\n")))
			if bad != nil {
				t.Fatal(bad)
			}
			tables, errs := Load(docs[0], Options{Parameters: c.given})
			if len(tables) != 1 || len(errs) != 0 {
				t.Fatalf("%d tables, %v", len(tables), errs)
			}
			var got []string
			for _, a := range tables[0].Arms {
				got = append(got, a.When)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("arms (-want +got):\n%s", diff)
			}
		})
	}
}
