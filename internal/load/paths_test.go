package load

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/source"
)

const (
	designText = `schema = 1
[[table]]
name = "Orders"
partition_key = "id:S"
billing = "on-demand"
`
	templateText = `Resources:
  Sessions:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: sessions
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
`
	createText = `{"TableName": "Events",
 "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
 "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
 "BillingMode": "PAY_PER_REQUEST"}`
	serverlessText = `service: shop
provider: {name: aws}
resources:
  Resources:
    T: {Type: AWS::DynamoDB::Table}
`
	terraformText = `resource "aws_dynamodb_table" "t" {
  name = "t"
}
`
)

// inFolder writes files into a new folder and works there. A text that begins
// with "->" is the target of a link.
func inFolder(t testing.TB, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// outcome lists the tables with their types and places, and the errors.
func outcome(r Result) []string {
	var out []string
	for _, t := range r.Tables {
		out = append(out, fmt.Sprintf("%s %s %s", t.DisplayName(), t.ResourceType, t.At.File.Name))
	}
	for _, e := range r.Errors {
		out = append(out, "error "+e.Error())
	}
	return out
}

func check(t *testing.T, got Result, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, outcome(got)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// utf16le encodes ASCII as PowerShell's redirection does.
func utf16le(text string) string {
	out := []byte{0xff, 0xfe}
	for _, c := range []byte(text) {
		out = append(out, c, 0)
	}
	return string(out)
}

func TestPathsFolder(t *testing.T) {
	inFolder(t, map[string]string{
		"repo/a.ddb.toml":                     designText,
		"repo/infra/template.yaml":            templateText,
		"repo/infra/z.json":                   createText,
		"repo/infra/docs.yaml":                "openapi: 3.0.0\n",
		"repo/infra/broken-but-not-ours.json": "{\"compilerOptions\": {// comment\n}}",
		"repo/infra/helm.yaml":                "{{ if .Values.x }}\na: b\n",
		"repo/infra/empty.json":               "",
		"repo/infra/image.json":               "\x89PNG\x00\x00",
		"repo/Cargo.toml":                     "[package]\nname = \"x\"\nschema = 1\n",
		"repo/.ddbvet.toml":                   "schema = 1\n",
		"repo/main.tf":                        "variable \"x\" {\n}\n",
		"repo/readme.md":                      "AWS::DynamoDB::Table",
		"repo/serverless.yml":                 "service: x\nprovider: {name: aws}\n",
		"repo/node_modules/x/t.json":          createText,
		"repo/.git/t.json":                    createText,
		"repo/.terraform/t.json":              createText,
		"repo/.hidden/t.json":                 createText,
	})
	check(t, Paths([]string{"repo"}, Options{}),
		"Orders design repo/a.ddb.toml",
		"sessions AWS::DynamoDB::Table repo/infra/template.yaml",
		"Events create-table repo/infra/z.json",
	)
}

// A file of a folder that is recognisably ours and broken is an error, and so
// is one with tables in a format that is not read: silence would pass them.
func TestPathsFolderErrors(t *testing.T) {
	inFolder(t, map[string]string{
		"d/bad.json":        "{\"KeySchema\": [}",
		"d/bad.yaml":        "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n   x: 1\n",
		"d/bad.ddb.toml":    "schema = 1\n[[table]\n",
		"d/empty.ddb.toml":  "",
		"d/main.tf":         terraformText,
		"d/ok.json":         createText,
		"d/powershell.json": utf16le(createText),
		"d/serverless.yml":  serverlessText,
	})
	r := Paths([]string{"d"}, Options{})
	got := outcome(r)
	for i, g := range got {
		// The words of the YAML and TOML libraries are theirs.
		if strings.HasPrefix(g, "error d/bad.yaml") || strings.HasPrefix(g, "error d/bad.ddb.toml") {
			got[i], _, _ = strings.Cut(g, ": ")
		}
	}
	want := []string{
		"Events create-table d/ok.json",
		"T AWS::DynamoDB::Table d/serverless.yml",
		"error d/bad.ddb.toml:2:8",
		"error d/bad.json:1:16: found '}', expected a value or ']'",
		"error d/bad.yaml:4:4",
		`error d/empty.ddb.toml:1:1: "schema" is missing, expected schema = 1 as the first line`,
		"error d/main.tf:1:1: recognised as Terraform, which this version does not read yet",
		"error d/powershell.json:1:1: the file is UTF-16 (little-endian), expected UTF-8",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A file that is named and not understood is one error at its beginning that
// says what is read.
func TestPathsNamedFiles(t *testing.T) {
	want := "expected a ddbvet design file (TOML), a CloudFormation or SAM template (YAML or JSON), a serverless.yml, a Terraform plan or state (terraform show -json), a NoSQL Workbench model, or the JSON of describe-table or create-table"
	for _, c := range []struct{ name, text, message string }{
		{"empty.json", " \n", "empty file, " + want},
		{"empty.ddb.toml", "", "empty file, " + want},
		{"empty.toml", "\n", "empty file, " + want},
		{"x.bin", "\x7fELF\x00", "the file is binary, " + want},
		{"notes.md", "# Tables\n\nnone\n", "the format is not known, " + want},
		{"other.json", `{"name": "x", "version": 1}`, `the format is not known (its first keys are "name", "version"), ` + want},
		{"list.json", `[1]`, "the document is a list, " + want},
		{"none.json", `{}`, "the document is empty, " + want},
		{"other.yaml", "openapi: 3.0.0\n", `the format is not known (its first keys are "openapi"), ` + want},
		{"text.yaml", "just text\n", `the document is "just text", ` + want},
		{"Cargo.toml", "[package]\nname = \"x\"\n", "the TOML file has neither schema = 1 nor [[table]], " + want},
		{".ddbvet.toml", "schema = 1\n", "recognised as a ddbvet configuration, which holds no tables, " + want},
		{"m.csv", MetricsHeader + "\n", "recognised as a metrics file, which holds no tables, " + want},
		{"main.tf", terraformText, "recognised as Terraform, which this version does not read yet"},
		{"main.txt", terraformText, "recognised as Terraform, which this version does not read yet"},
		{"main.tf.json", `{"resource": {}}`, "recognised as Terraform, which this version does not read yet"},
		{"plan.json", `{"format_version": "1.2", "planned_values": {}}`, "the file describes no DynamoDB table"},
		{"model.json", `{"ModelName": "m", "DataModel": []}`, "the file describes no DynamoDB table"},
		{"scan.json", `{"Items": [], "Count": 0}`, "recognised as the items of a Scan or Query, which this version does not read yet"},
		{"t.json", utf16le(createText), "the file is UTF-16 (little-endian), expected UTF-8"},
		{"none.yaml", "Resources:\n  B:\n    Type: AWS::S3::Bucket\n", "the file describes no DynamoDB table"},
	} {
		inFolder(t, map[string]string{c.name: c.text})
		want := []string{"error " + c.name + ":1:1: " + c.message}
		if d := cmp.Diff(want, outcome(Paths([]string{c.name}, Options{}))); d != "" {
			t.Errorf("Paths %s (-want +got)\n%s", c.name, d)
		}
		if d := cmp.Diff(want, outcome(Bytes(c.name, []byte(c.text), Options{}))); d != "" {
			t.Errorf("Bytes %s (-want +got)\n%s", c.name, d)
		}
	}
}

// The content decides, whatever the name.
func TestBytesDetection(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"<stdin>", designText, "Orders design <stdin>"},
		{"<stdin>", "\ufeff" + designText, "Orders design <stdin>"},
		{"x.txt", "# a design\n\n[[ table ]]\nname = \"Orders\"\npartition_key = \"id:S\"\n", "Orders design x.txt"},
		{"<stdin>", templateText, "sessions AWS::DynamoDB::Table <stdin>"},
		{"x.template", "---\n" + templateText, "sessions AWS::DynamoDB::Table x.template"},
		{"x.json", templateText, "error x.json:1:1"},
		{"x.yaml", createText, "Events create-table x.yaml"},
		{"<stdin>", "\ufeff" + createText, "Events create-table <stdin>"},
		{"x.yaml", "kind: Other\n---\n" + templateText, "sessions AWS::DynamoDB::Table x.yaml"},
		{"x.json", `{"Resources": {"T": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": "t",
			"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
			"BillingMode": "PAY_PER_REQUEST"}}}}`, "t AWS::DynamoDB::Table x.json"},
	} {
		got := outcome(Bytes(c.name, []byte(c.text), Options{}))
		if len(got) == 0 || !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestBytesPassesParameters(t *testing.T) {
	text := strings.Replace("Parameters:\n  Name: {Type: String}\n"+templateText, "TableName: sessions", "TableName: !Ref Name", 1)
	r := Bytes("t.yaml", []byte(text), Options{Parameters: map[string]string{"Name": "given"}})
	check(t, r, "given AWS::DynamoDB::Table t.yaml")
}

func TestPathsReadsAFileOnce(t *testing.T) {
	inFolder(t, map[string]string{"d/a.ddb.toml": designText, "d/link.ddb.toml": "->a.ddb.toml", "again": "->d", "d/loop": "->.", "d/sub/up": "->.."})
	check(t, Paths([]string{"d/a.ddb.toml", "d", "./d/../d/a.ddb.toml", "again"}, Options{}), "Orders design d/a.ddb.toml")
	check(t, Paths([]string{"again", "d/a.ddb.toml"}, Options{}), "Orders design again/a.ddb.toml")
}

func TestPathsUnreadable(t *testing.T) {
	inFolder(t, map[string]string{
		"none/readme.md": "x", "dangling/a.json": "->nowhere", "ok.ddb.toml": designText, "bucket.yaml": "Resources:\n  B:\n    Type: AWS::S3::Bucket\n",
	})
	folder := "no table was found in the folder, expected " + formats
	check(t, Paths([]string{"absent.json", "none", "dangling", "ok.ddb.toml", "bucket.yaml"}, Options{}),
		"Orders design ok.ddb.toml",
		"error absent.json: cannot be read: no such file or directory",
		"error none: "+folder,
		"error dangling: "+folder,
	)
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		return // permissions do not bind this user
	}
	if err := os.Chmod("ok.ddb.toml", 0); err != nil {
		t.Fatal(err)
	}
	check(t, Paths([]string{"ok.ddb.toml"}, Options{}), "error ok.ddb.toml: cannot be read: permission denied")
}

func TestPathsTooLarge(t *testing.T) {
	inFolder(t, map[string]string{"d/other.json": "{}", "big.json": ""})
	for _, name := range []string{"d/other.json", "big.json"} {
		if err := os.Truncate(name, MaxFileSize+1); err != nil {
			t.Fatal(err)
		}
	}
	check(t, Paths([]string{"big.json", "d"}, Options{}),
		"error big.json:1:1: the file is larger than 64 MB, the most that is read",
		"error d: no table was found in the folder, expected "+formats)
}

// The result depends on the names only and not on which file is ready first.
func TestPathsOrder(t *testing.T) {
	files := map[string]string{}
	var want []string
	for i := range 60 {
		name := fmt.Sprintf("d/%02d.ddb.toml", i)
		files[name] = strings.Replace(designText, "Orders", fmt.Sprintf("T%02d", i), 1)
		want = append(want, fmt.Sprintf("T%02d design %s", i, name))
	}
	inFolder(t, files)
	for range 5 {
		check(t, Paths([]string{"d"}, Options{}), want...)
	}
}

// FuzzBytes: no input makes a reader panic, and every error has a place.
func FuzzBytes(f *testing.F) {
	for _, text := range []string{
		designText, templateText, createText, serverlessText, terraformText, utf16le(createText), "", "\x00", "[", "{", "---\n- a\n", "a: &a [*a]\n",
		`{"Table":{"TableName":"T","KeySchema":[{}]}}`, MetricsHeader,
	} {
		for _, name := range []string{"<stdin>", "a.json", "a.yaml", "a.toml", "a.ddb.toml"} {
			f.Add(name, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		named := Bytes(name, data, Options{})
		if len(named.Tables)+len(named.Errors) == 0 && len(named.Patterns) == 0 {
			t.Error("a file that was named gives neither a table nor an error")
		}
		for _, e := range named.Errors {
			if e.At.File == nil || e.Message == "" {
				t.Errorf("error %q has no file or no words", e)
			}
		}
		for _, tb := range named.Tables {
			if !tb.At.Known() {
				t.Errorf("table %q has no place", tb.DisplayName())
			}
		}
		input{file: source.NewFile(name, data)}.read(Options{})
	})
}
