package serverless

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const fixtures = "../../../fixtures/templates/"

func fromDisk(path string) (*source.File, error) {
	data, err := os.ReadFile(path)
	return source.NewFile(path, data), err
}

// fromMap reads files of a map, by their whole paths.
func fromMap(files map[string]string) func(string) (*source.File, error) {
	return func(path string) (*source.File, error) {
		text, ok := files[filepath.ToSlash(path)]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return source.NewFile(path, []byte(text)), nil
	}
}

func service(t testing.TB, f *source.File) *node.Node {
	t.Helper()
	docs, d := node.ParseYAML(f)
	if d != nil {
		t.Fatal(d)
	}
	if !Is(docs[0]) {
		t.Fatal("not recognised as a service")
	}
	return docs[0]
}

func show[T any](v source.Value[T]) string {
	switch x, known := v.Get(); {
	case known:
		return fmt.Sprint(x)
	case v.Absent():
		return "-"
	}
	return "? " + v.Why
}

func place(at source.Span) string {
	return fmt.Sprintf("%s:%d:%d", filepath.Base(at.File.Name), at.Start.Line, at.Start.Col)
}

func messages(errs []*source.Diagnostic) (out []string) {
	for _, e := range errs {
		out = append(out, place(e.At)+" "+e.Message)
	}
	return out
}

// keyOf writes the key as "tenant:S placedAt:N".
func keyOf(t *table.Table) string {
	var out []string
	for _, k := range t.Key.Elements {
		out = append(out, show(k.Name)+":"+show(k.Type))
	}
	return strings.Join(out, " ")
}

// The shop's facts, with the places where they are written.
func TestShop(t *testing.T) {
	f, err := fromDisk(fixtures + "serverless-shop/serverless.yml")
	if err != nil {
		t.Fatal(err)
	}
	r := Load(service(t, f), Options{Read: fromDisk})
	if len(r.Errors) > 0 || len(r.Tables) != 2 {
		t.Fatalf("%d tables, %v", len(r.Tables), messages(r.Errors))
	}
	orders, carts := r.Tables[0], r.Tables[1]
	target, _ := orders.Scaling.Read.Get()
	var tags []string
	for _, tag := range orders.Tags.Items {
		tags = append(tags, show(tag.Key)+"="+show(tag.Value))
	}
	got := map[string]string{
		"orders":   orders.LogicalName + " " + orders.ResourceType + " " + place(orders.At),
		"name":     show(orders.Name) + " " + place(orders.Name.At),
		"region":   show(orders.Region),
		"key":      keyOf(orders),
		"read":     show(orders.Capacity.Read) + " " + place(orders.Capacity.Read.At),
		"write":    show(orders.Capacity.Write),
		"scaling":  show(target.Min) + " " + show(target.Max),
		"tags":     strings.Join(tags, " "),
		"protect":  show(orders.DeletionProtection),
		"deletion": show(orders.DeletionPolicy),
		"carts":    carts.LogicalName + " " + place(carts.At),
		"cartName": show(carts.Name),
		"ttl":      show(carts.TTL.Attribute),
		"class":    show(carts.Class) + " " + place(carts.Class.At),
	}
	want := map[string]string{
		"orders": "Orders AWS::DynamoDB::Table orders.yml:2:3", "name": "shop-dev-orders serverless.yml:11:7",
		"region": "eu-west-1", "key": "tenant:S placedAt:N", "read": "7 dev.json:1:10", "write": "3",
		"scaling": "7 70", "tags": "owner=developers cost=none suffix=main stack=shop-dev",
		"protect": "true", "deletion": "Retain", "carts": "Carts carts.yml:2:3",
		"cartName": "shop-dev-carts-eu-west-1", "ttl": "? ${env:CART_TTL}", "class": "STANDARD serverless.yml:21:12",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Names that are known, and the expressions of those that are not.
func TestSingle(t *testing.T) {
	f, err := fromDisk(fixtures + "serverless-single/serverless.yml")
	if err != nil {
		t.Fatal(err)
	}
	r := Load(service(t, f), Options{Read: fromDisk})
	got := map[string]string{}
	for _, tb := range r.Tables {
		got[tb.LogicalName] = show(tb.Name)
		if !strings.Contains(tb.Scaling.Read.Why, "plugin serverless-dynamodb-autoscaling may set it") {
			t.Errorf("auto scaling of %s is %q, want it unresolved for the plugin", tb.LogicalName, tb.Scaling.Read.Why)
		}
		if tb.LogicalName == "Scaled" {
			target, _ := tb.Scaling.Write.Get()
			got["Scaled"] += " " + show(tb.Capacity.Read) + " " + show(tb.Capacity.Write) + " " + show(target.Max)
		}
	}
	want := map[string]string{
		"Stage": "single-qa-qa", "Instance": "? t-${sls:instanceId}", "Environment": "? ${env:TABLE}-qa",
		"Store": "? ${ssm:/table/name, 'default'}", "Option": "? ${opt:table}", "Nothing": "? ${self:custom.nothing}",
		"Program": "? ${file(names.js):table, 'x'}", "Missing": "fallback", "Far": "? ${file(/etc/hostname)}",
		"Web": "? ${file(https://example.com/x.yml):a}", "Circle": "? x-${self:custom.b}", "Circle2": "? ${self:custom.b}",
		"Malformed": "? ${self:custom.a", "Literal": "${kept}-$x", "Stack": "single-stack",
		"Scaled": "? ${env:SCALED} 5 ? ${opt:writes} 50",
	}

	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Message, "in a circle") {
		t.Errorf("errors %v, want the circle alone", messages(r.Errors))
	}
}

// name loads a service whose table T has that text as their name.
func name(t *testing.T, expr, head string, files, params map[string]string) (string, []string) {
	t.Helper()
	text := head + "\nresources: {Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: " + expr + "}}}}\n"
	r := Load(service(t, source.NewFile("s/serverless.yml", []byte(text))), Options{Read: fromMap(files), Parameters: params})
	if len(r.Tables) != 1 {
		t.Fatalf("%s: %d tables, %v", expr, len(r.Tables), messages(r.Errors))
	}
	return show(r.Tables[0].Name), messages(r.Errors)
}

func TestVariables(t *testing.T) {
	const head = `service: s
provider: {name: aws, region: eu-west-3}
custom: {a: one, b: {c: two, n: 12, t: true, nothing: null}, l: [x, {y: z}], e: '${env:E}', one: {k: found}, f: '${file(x.yml)}', q: "a'b"}
`
	files := map[string]string{
		"s/x.yml": "a: {b: '${self:custom.a}'}\nonly: 1\n", "s/n.txt": "plain", "s/j.json": `{"k": ["v"]}`,
		"s/two.yml": "a: 1\n---\na: 2\n", "up.yml": "k: above\n", "s/blank.yml": "# nothing\n",
	}
	for expr, want := range map[string]string{
		`"${self:custom.a}"`:                                   "one",
		`"a-${self:custom.a}-${self:custom.b.n}-b"`:            "a-one-12-b",
		`"${self:custom.l.0}${self:custom.l.1.y}"`:             "xz",
		`"${self:custom.l.7, self:custom.b.nothing, 'd'}"`:     "d",
		`"${self:custom.none, ${self:custom.no, 'deep'}}"`:     "deep",
		`"${self:custom.${self:custom.a}.k}"`:                  "found",
		`"${self:custom.${opt:x, 'a'}}"`:                       "one",
		`"${self:custom.f.a.b}"`:                               "one",
		`"${file(x.yml):a.b}"`:                                 "one",
		`"${file(./x.yml):a.${self:custom.none, 'b'}}"`:        "one",
		`"${file(${self:custom.none, 'x'}.yml):a.b}"`:          "one",
		`"${file(j.json):k.0}"`:                                "v",
		`"${file(n.txt)}"`:                                     "plain",
		`"${file(../up.yml):k}"`:                               "above",
		`"${file(blank.yml):k, 'd'}"`:                          "d",
		`"${file(none.yml), file(x.yml):a.b}"`:                 "one",
		`"${sls:stage}-${opt:stage, self:provider.stage}"`:     "dev-dev",
		`"${aws:region}"`:                                      "eu-west-3",
		`"${opt:stage,\n 'x, y}'}"`:                            "x, y}",
		`'${opt:x, "quote \" and \u0041"}'`:                    `quote " and A`,
		`"${self:custom.q}"`:                                   "a'b",
		`!Sub "${AWS::Region}-${self:custom.a}-${!Kept}"`:      "eu-west-3-one-${Kept}",
		`"${env:A, ''}x"`:                                      "x",
		`"${self:custom.e, 'no'}"`:                             "? ${env:E}",
		`"${self:custom.${env:E}.k}"`:                          "? ${self:custom.${env:E}.k}",
		`"${self:custom.b}-x"`:                                 "? ${self:custom.b}-x",
		`"${cf:stack.out}"`:                                    "? ${cf:stack.out}",
		`"${cf.eu-west-1:stack.out, 'x'}"`:                     "? ${cf.eu-west-1:stack.out, 'x'}",
		`"${opt:stage, dev}"`:                                  "? ${opt:stage, dev}",
		`"${file(x.yml"`:                                       "? ${file(x.yml",
		`"${file()}"`:                                          "? ${file()}",
		`"${file(~/x.yml):a}"`:                                 "? ${file(~/x.yml):a}",
		`"${strToBool(maybe)}"`:                                "? ${strToBool(maybe)}",
		`"${file(../../../../../../../../../etc/x)}"`:          "? ${file(../../../../../../../../../etc/x)}",
		`"${git:sha1}"`:                                        "? ${git:sha1}",
		`"${{self:custom.a}}"`:                                 "? ${{self:custom.a}}",
		`"${aws:accountId}"`:                                   "? ${aws:accountId}",
		`"${` + strings.Repeat("${self:", 60) + `"`:            "? ${" + strings.Repeat("${self:", 60),
		`"` + strings.Repeat("${self:", 60) + `a"`:             "? " + strings.Repeat("${self:", 60) + "a",
		`"\\${self:custom.a}"`:                                 "? ${self:custom.a}",
		`"${self:custom.b.t}"`:                                 "true",
		`"${self:custom.none, true}-${self:custom.none, 1.5}"`: "true-1.5",
	} {
		got, errs := name(t, expr, head, files, nil)
		if got != want || len(errs) != 0 {
			t.Errorf("%s: %q %v, want %q", expr, got, errs, want)
		}
	}
}

func TestGivenValues(t *testing.T) {
	const head = "service: {name: s}\nprovider: aws\nparams: {default: {p: d}, prod: {p: ofProd}}"
	given := map[string]string{"opt:stage": "prod", "env:E": "e", "ssm:/x": "stored", "param:q": "q"}
	for expr, want := range map[string]string{
		"'${sls:stage}'": "prod", "'${param:p}'": "ofProd", "'${env:E}${param:q}'": "eq",
		"'${ssm:/x}'": "stored", "'${self:service}'": "s", "'${self:service.name}'": "s", "!Ref AWS::StackName": "s-prod",
	} {
		if got, errs := name(t, expr, head, nil, given); got != want || len(errs) != 0 {
			t.Errorf("%s: %q %v, want %q", expr, got, errs, want)
		}
	}
}

// What hides resources is an error at the place of the expression; what
// unfolds without end is one error, quickly.
func TestFaults(t *testing.T) {
	bomb := "custom: {z0: [1,2,3,4,5,6,7,8,9,0]"
	long := "custom: {z0: 0123456789"
	for i := range 12 {
		ref := fmt.Sprintf("'${self:custom.z%d}'", i)
		bomb += fmt.Sprintf(", z%d: [%s]", i+1, strings.TrimSuffix(strings.Repeat(ref+",", 10), ","))
		long += fmt.Sprintf(", z%d: '%s'", i+1, strings.Repeat(fmt.Sprintf("${self:custom.z%d}", i), 10))
	}
	files := map[string]string{
		"s/bad.yml": "a: [", "s/two.yml": "a: 1\n---\nb: 2\n", "s/self.yml": "Resources: {A: '${file(self.yml)}'}",
	}
	for _, c := range []struct{ name, text, want string }{
		{"missing", "resources: ['${file(none.yml)}']", `serverless.yml:3:13 resources cannot be read, as "${file(none.yml)}" is not known: there is no file "s/none.yml"`},
		{"program", "resources: '${file(r.js)}'", `serverless.yml:3:12 resources cannot be read, as "${file(r.js)}" is not known: "r.js" is a program, which is not run`},
		{"section", "resources: {Resources: '${opt:r}'}", `serverless.yml:3:24 the section "Resources" cannot be read, as "${opt:r}" is not known: opt:r is given only when deploying`},
		{"resource", "resources: {Resources: {A: '${opt:r}'}}", `serverless.yml:3:28 resource "A" cannot be read, as "${opt:r}" is not known: opt:r is given only when deploying`},
		{"text", "resources: [x]", "serverless.yml:3:13 found a text among the resources, expected a map with Resources"},
		{"two documents", "resources: ['${file(two.yml)}']", "two.yml:1:1 found 2 documents, expected one in an included file"},
		{"file in itself", "resources: ['${file(self.yml)}']", `self.yml:1:16 variable "${file(self.yml)}" refers to itself`},
		{"map in itself", "custom: {a: '${self:custom}'}\nresources: {Resources: '${self:custom}'}", `serverless.yml:3:13 variable "${self:custom}" refers to itself`},
		{"bomb", bomb + "}\nresources: {Resources: {A: {Type: 'AWS::S3::Bucket', Properties: '${self:custom.z12}'}}}", "the variables unfold to more than 500000 values"},
		{"long text", long + "}\nresources: {Resources: {A: {Type: 'AWS::S3::Bucket', Properties: '${self:custom.z12}'}}}", "the variables give a text of more than 64 KB"},
	} {
		text := "service: s\nprovider: aws\n" + c.text + "\n"
		r := Load(service(t, source.NewFile("s/serverless.yml", []byte(text))), Options{Read: fromMap(files)})
		got := messages(r.Errors)
		if len(got) != 1 && c.name != "two documents" || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// Parts of the resources are laid over one another; a later one wins, lists
// entry by entry.
func TestMerge(t *testing.T) {
	text := `service: s
provider: aws
resources:
  - Resources: {T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: a, KeySchema: [{AttributeName: a, KeyType: HASH}]}}}
  -
  - Resources: {T: {Properties: {TableName: !Sub b, KeySchema: [{AttributeName: b}, {AttributeName: r, KeyType: RANGE}]}}}
  - {extensions: {T: {DeletionPolicy: Retain, Properties: {TableClass: STANDARD_INFREQUENT_ACCESS}}}}
`
	r := Load(service(t, source.NewFile("serverless.yml", []byte(text))), Options{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables, %v", len(r.Tables), messages(r.Errors))
	}
	tb := r.Tables[0]
	got := show(tb.Name) + " " + keyOf(tb) + " " + show(tb.DeletionPolicy) + " " + show(tb.Class) + " " + place(tb.At)
	if want := "b b:- r:- Retain STANDARD_INFREQUENT_ACCESS serverless.yml:4:17"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
