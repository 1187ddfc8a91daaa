package load

import (
	"strings"
	"testing"
)

const (
	serviceText = `service: shop
provider: {name: aws}
custom: {table: sessions-of-shop}
resources:
  - ${file(resources/sessions.yml)}
`
	includedText = `Resources:
  Sessions:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: ${self:custom.table}
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
`
)

// A file of resources is read as a part of the service that includes it, once,
// in whichever order the two are met and whether or not it is named.
func TestIncludedResourcesAreReadOnce(t *testing.T) {
	inFolder(t, map[string]string{
		"d/serverless.yml": serviceText, "d/resources/sessions.yml": includedText,
		"d/resources/other.yml": templateText,
	})
	table := "sessions-of-shop AWS::DynamoDB::Table d/resources/sessions.yml"
	other := "sessions AWS::DynamoDB::Table d/resources/other.yml"
	check(t, Paths([]string{"d"}, Options{}), other, table)
	check(t, Paths([]string{"d/serverless.yml"}, Options{}), table)
	check(t, Paths([]string{"d/resources/sessions.yml", "d/serverless.yml"}, Options{}), table)
	check(t, Paths([]string{"d/resources/sessions.yml"}, Options{}), "Sessions AWS::DynamoDB::Table d/resources/sessions.yml")
}

// Two services may deploy the same resources, each as tables of its own.
func TestSharedResourcesAreTablesOfEachService(t *testing.T) {
	shared := strings.Replace(serviceText, "resources/", "../common/", 1)
	inFolder(t, map[string]string{
		"a/serverless.yml": shared, "b/serverless.yml": strings.Replace(shared, "of-shop", "of-b", 1),
		"common/sessions.yml": includedText,
	})
	check(t, Paths([]string{"."}, Options{}),
		"sessions-of-shop AWS::DynamoDB::Table common/sessions.yml",
		"sessions-of-b AWS::DynamoDB::Table common/sessions.yml")
}

// A file of which a service takes one table keeps the others.
func TestPartlyIncludedFileKeepsItsTables(t *testing.T) {
	inFolder(t, map[string]string{
		"d/serverless.yml": "service: s\nprovider: aws\nresources: {Resources: {Mine: \"${file(t.yml):Resources.One}\"}}\n",
		"d/t.yml":          "Resources:\n  One: {Type: AWS::DynamoDB::Table, Properties: {TableName: one}}\n  Two: {Type: AWS::DynamoDB::Table, Properties: {TableName: two}}\n",
	})
	check(t, Paths([]string{"d"}, Options{}),
		"one AWS::DynamoDB::Table d/serverless.yml", "two AWS::DynamoDB::Table d/t.yml")
}

// A definition names a table by the service or by the included file; either
// way it is the service's table and there is no second one.
func TestDefinitionInAnIncludedFile(t *testing.T) {
	for _, at := range []string{"serverless.yml#Sessions", "resources/sessions.yml#Sessions"} {
		inFolder(t, map[string]string{
			"d/serverless.yml": serviceText, "d/resources/sessions.yml": includedText,
			"d/x.ddb.toml": "schema = 1\n[[table]]\nname = \"sessions-of-shop\"\ndefinition = \"" + at + "\"\n",
		})
		check(t, Paths([]string{"d"}, Options{}), "sessions-of-shop AWS::DynamoDB::Table d/resources/sessions.yml")
	}
}

// What only a deployment knows may be given; what no file asks for is a slip.
func TestServiceParameters(t *testing.T) {
	text := strings.Replace(serviceText, "sessions-of-shop", `"${env:NAME}-${sls:stage}"`, 1)
	inFolder(t, map[string]string{"serverless.yml": text, "resources/sessions.yml": includedText})
	check(t, Paths([]string{"."}, Options{Parameters: map[string]string{"env:NAME": "n", "opt:stage": "prod"}}),
		"n-prod AWS::DynamoDB::Table resources/sessions.yml")
	r := Paths([]string{"."}, Options{Parameters: map[string]string{"env:NAMES": "n"}})
	if len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Message, `no template declares parameter "env:NAMES"`) {
		t.Errorf("errors %v, want that nothing asks for env:NAMES", r.Errors)
	}
}

// An include of a folder or of an endless device is an error and ends.
func TestIncludeReadsRegularFilesOnly(t *testing.T) {
	inFolder(t, map[string]string{
		"serverless.yml": strings.Replace(serviceText, "resources/sessions.yml", "folder.yml", 1), "folder.yml/x": "",
	})
	check(t, Paths([]string{"serverless.yml"}, Options{}),
		"error folder.yml:1:1: cannot be read: it is not a regular file",
		`error serverless.yml:5:5: resources cannot be read, as "${file(folder.yml)}" is not known: file "folder.yml" cannot be read`)
}
