package cfn

import "testing"

// What the Serverless Framework would fill in is not literal.
func TestServerlessVariablesAreUnknown(t *testing.T) {
	for text, why := range map[string]string{
		`"${self:custom.table}"`:              "${self:custom.table}",
		`"orders-${opt:stage, 'dev'}"`:        "orders-${opt:stage, 'dev'}",
		`"${file(x.yml):name}"`:               "${file(x.yml):name}",
		`"${env:T}"`:                          "${env:T}",
		`"${sls:stage}-t"`:                    "${sls:stage}-t",
		`"${param:t}"`:                        "${param:t}",
		`"${ self:custom.table }"`:            "${ self:custom.table }",
		`"${ssm.eu-west-1:/table}"`:           "${ssm.eu-west-1:/table}",
		`"${cf(eu-west-1):stack.table}"`:      "${cf(eu-west-1):stack.table}",
		`!Sub "${self:service}-t"`:            "${self:service}",
		`!Sub "${self:custom.name}-t"`:        "${self:custom.name}",
		`!Join ["-", ["${self:service}", t]]`: "${self:service}",
		`!Sub "${env.Arn}"`:                   "!GetAtt env.Arn",
	} {
		got, errs := loadText(t, "t.yaml", "Resources: {T: {Type: 'AWS::DynamoDB::Table', Condition: '${self:c}', Properties: {TableName: "+text+"}}}", nil)
		if got["T"]["name"] != "? "+why || len(errs) != 0 {
			t.Errorf("%s: name is %q, %v; want it unresolved as %s", text, got["T"]["name"], errs, why)
		}
	}
	// Without Fn::Sub this is the name that the table would be asked to have.
	if got, _ := loadText(t, "t.yaml", "Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: '${env.Arn}'}}}", nil); got["T"]["name"] != "${env.Arn}" {
		t.Errorf("name is %q, want it literal", got["T"]["name"])
	}
}

// A resource that a Serverless variable gives cannot be read, and may be the
// auto scaling of another.
func TestServerlessResource(t *testing.T) {
	got, errs := loadText(t, "t.yaml", "Resources:\n  T: {Type: 'AWS::DynamoDB::Table', Properties: {ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}}}\n"+
		"  More: ${file(scaling.yml):read}\n", nil)
	const want = `3:9 found text "${file(scaling.yml):read}", expected a resource: a map with Type`
	if len(errs) != 1 || errs[0] != want {
		t.Errorf("errors %q, want %q", errs, want)
	}
	if s := got["T"]["scale_read"]; s != "? resource More is ${file(scaling.yml):read}" {
		t.Errorf("scaling of reads is %q, want it unresolved", s)
	}
}
