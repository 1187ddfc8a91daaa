package rules_test

import (
	"strings"
	"testing"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/rules"
)

// scalingOf writes a scalable target with its policy, for reads or writes of
// the table or of an index.
func scalingOf(id, resource, dimension, metric string) string {
	return strings.NewReplacer("ID", id, "RESOURCE", resource, "DIM", dimension, "METRIC", metric).Replace(`
  IDTarget:
    Type: AWS::ApplicationAutoScaling::ScalableTarget
    Properties:
      ServiceNamespace: dynamodb
      ResourceId: RESOURCE
      ScalableDimension: dynamodb:DIM
      MinCapacity: 10
      MaxCapacity: 500
      RoleARN: arn:aws:iam::123456789012:role/scaling
  IDPolicy:
    Type: AWS::ApplicationAutoScaling::ScalingPolicy
    Properties:
      PolicyName: ID
      PolicyType: TargetTrackingScaling
      ScalingTargetId: !Ref IDTarget
      TargetTrackingScalingPolicyConfiguration:
        TargetValue: 70
        PredefinedMetricSpecification: {PredefinedMetricType: METRIC}
`)
}

func tableScaling(name string) string {
	return scalingOf("R", "table/"+name, "table:ReadCapacityUnits", "DynamoDBReadCapacityUtilization") +
		scalingOf("W", "table/"+name, "table:WriteCapacityUnits", "DynamoDBWriteCapacityUtilization")
}

func indexScaling(name, index string) string {
	return scalingOf("IR", "table/"+name+"/index/"+index, "index:ReadCapacityUnits", "DynamoDBReadCapacityUtilization") +
		scalingOf("IW", "table/"+name+"/index/"+index, "index:WriteCapacityUnits", "DynamoDBWriteCapacityUtilization")
}

const indexedTable = `Parameters:
  Mode: {Type: String}
Conditions:
  Prod: !Equals [!Ref Mode, prod]
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders
      BillingMode: PROVISIONED
      AttributeDefinitions:
        - {AttributeName: orderId, AttributeType: S}
        - {AttributeName: mail, AttributeType: S}
      KeySchema: [{AttributeName: orderId, KeyType: HASH}]
      ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 10}
      GlobalSecondaryIndexes:
        - IndexName: byMail
          KeySchema: [{AttributeName: mail, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
          ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 10}
`

// TestTraps holds the false alarms and missed faults that linters of templates
// are known for. Each case lists how rules must end.
func TestTraps(t *testing.T) {
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	onDemand := strings.ReplaceAll(strings.ReplaceAll(indexedTable, "PROVISIONED", "PAY_PER_REQUEST"),
		"{ReadCapacityUnits: 10, WriteCapacityUnits: 10}", "{ReadCapacityUnits: 0, WriteCapacityUnits: 0}")
	globalTable := `Resources:
  Orders:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      BillingMode: PROVISIONED
      AttributeDefinitions: [{AttributeName: orderId, AttributeType: S}]
      KeySchema: [{AttributeName: orderId, KeyType: HASH}]
      WriteProvisionedThroughputSettings:
        WriteCapacityAutoScalingSettings: {MinCapacity: 5, MaxCapacity: 50, TargetTrackingScalingPolicyConfiguration: {TargetValue: 70}}
      Replicas:
        - Region: us-east-1
          ReadProvisionedThroughputSettings:
            ReadCapacityAutoScalingSettings: {MinCapacity: 5, MaxCapacity: 50, TargetTrackingScalingPolicyConfiguration: {TargetValue: 70}}
        - Region: us-west-2
          ReadProvisionedThroughputSettings: {ReadCapacityUnits: 5}
`
	for _, c := range []struct {
		name, text string
		ends       map[string]rules.State
	}{
		{"index targets are table/x/index/y", indexedTable + tableScaling("orders") + indexScaling("orders", "byMail"), map[string]rules.State{
			"cap-no-autoscaling": rules.Passed, "gsi-no-autoscaling": rules.Passed, "gsi-wcu-below-base": rules.Passed,
		}},
		{"the table's targets are not the index's", indexedTable + tableScaling("orders"), map[string]rules.State{
			"cap-no-autoscaling": rules.Passed, "gsi-no-autoscaling": rules.Fail,
		}},
		{"another table's name begins alike", indexedTable + tableScaling("orders-archive"), map[string]rules.State{
			"cap-no-autoscaling": rules.Fail,
		}},
		{"on-demand keeps its targets", onDemand + tableScaling("orders"), map[string]rules.State{
			"cap-no-autoscaling": rules.Passed, "gsi-no-autoscaling": rules.Passed, "def-billing-conflict": rules.Passed,
		}},
		{"a mode that is a parameter is not PROVISIONED", strings.Replace(indexedTable, "BillingMode: PROVISIONED", "BillingMode: !Ref Mode", 1), map[string]rules.State{
			"cap-no-autoscaling": rules.NotEvaluated, "def-billing-conflict": rules.NotEvaluated, "gsi-wcu-below-base": rules.NotEvaluated,
		}},
		{
			"a mode that depends on a condition is judged in each arm",
			strings.Replace(indexedTable, "BillingMode: PROVISIONED", "BillingMode: !If [Prod, PROVISIONED, PAY_PER_REQUEST]", 1),
			map[string]rules.State{
				"cap-no-autoscaling": rules.Fail, "gsi-no-autoscaling": rules.NotEvaluated,
			},
		},
		{"a table name that is a parameter", strings.Replace(indexedTable, "TableName: orders", "TableName: !Ref Mode", 1), map[string]rules.State{
			"def-name-invalid": rules.NotEvaluated, "def-duplicate-index-name": rules.Passed,
		}},
		{"the second replica of a GlobalTable", globalTable, map[string]rules.State{
			"cap-no-autoscaling": rules.Fail, "def-globaltable-capacity": rules.Passed, "def-billing-conflict": rules.Passed,
		}},
		{"SimpleTable is on-demand", "Transform: AWS::Serverless-2016-10-31\nResources:\n  S: {Type: AWS::Serverless::SimpleTable}\n", map[string]rules.State{
			"cap-no-autoscaling": rules.Passed, "def-billing-conflict": rules.Passed, "def-attr-mismatch": rules.Passed, "def-key-type": rules.Passed,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := load.Bytes("template.yaml", []byte(c.text), load.Options{})
			for _, e := range res.Errors {
				t.Error(e)
			}
			got := run(book, res.Tables, rules.All)
			seen := 0
			for _, o := range got.Outcomes {
				want, ok := c.ends[o.Rule.ID]
				if !ok {
					continue
				}
				seen++
				if o.State != want {
					t.Errorf("%s ends %s, want %s (%s)", o.Rule.ID, o.State, want, needs(got, o.Rule))
				}
			}
			if seen != len(c.ends) {
				t.Errorf("%d of %d rules ran", seen, len(c.ends))
			}
		})
	}
}
