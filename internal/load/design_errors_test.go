package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load"
	"ddbvet/internal/source"
)

// head is a good beginning of three lines.
const head = "schema = 1\n[[table]]\nname = \"T\"\n"

// keyed is a good table of four lines.
const keyed = head + "partition_key = \"id:S\"\n"

// pattern is a good table and pattern of eight lines.
const pattern = keyed + "[[access_pattern]]\nname = \"p\"\ntable = \"T\"\noperation = \"Query\"\n"

func TestDesignErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // without the file's name
	}{
		"syntax":                 {"schema = 1\nname = é\n", []string{`2:8: not valid TOML: expected value but found "é" instead`}},
		"syntax, unfinished":     {"schema = 1\na = \"x\n", []string{`2:7: not valid TOML: strings cannot contain newlines`}},
		"syntax, twice":          {"schema = 1\nx = 1\nx = 2\n", []string{`3:1: not valid TOML: key 'x' has already been defined`}},
		"no schema":              {"\n[[table]]\nname=\"T\"\npartition_key=\"a:S\"\n", []string{`1:1: "schema" is missing, expected schema = 1 as the first line`}},
		"schema 2":               {"schema = 2\n", []string{`1:10: schema 2 is not known, expected schema = 1`}},
		"schema text":            {"schema = \"1\"\n", []string{`1:10: "schema" must be a whole number, not "1", expected schema = 1`}},
		"unknown key, near":      {head + "partion_key = \"id:S\"\n", []string{`2:1: [[table]] needs a "partition_key" such as "id:S", or a "definition" such as "infra/template.yaml#Table"`, `4:1: unknown key "partion_key" in [[table]], did you mean "partition_key"?`}},
		"unknown key, far":       {"schema = 1\nzzz = 1\n", []string{`2:1: unknown key "zzz" in the design file, expected schema, region, defaults, table, access_pattern`}},
		"unknown key, inline":    {keyed + "autoscaling = { read = { min = 1, max = 2, tarjet = 70 } }\n", []string{`5:44: unknown key "tarjet" in read of autoscaling of [[table]], did you mean "target"?`}},
		"key of the table below": {keyed + "[[table.lsi]]\nname = \"l\"\nsort_key = \"s:N\"\nprojection = \"all\"\npitr = true\n", []string{`9:1: unknown key "pitr" in [[table.lsi]], it is a key of [[table]] and must stand before the first [[table.lsi]]`}},
		"wrong types": {keyed + "pitr = \"yes\"\nttl = 5\nread_capacity = 1.5\nitem_count = -1\nreplicas = \"us-east-1\"\ntags = []\nregion = 2024-01-01\n", []string{
			`5:8: "pitr" in [[table]] must be true or false, not "yes"`,
			`6:7: "ttl" in [[table]] must be a string, not the number 5`,
			`7:17: "read_capacity" in [[table]] must be a whole number, not 1.5`,
			`8:14: "item_count" in [[table]] must be at least 0, not -1`,
			`9:12: "replicas" in [[table]] must be a list of strings, not "us-east-1"`,
			`10:8: "tags" in [[table]] must be a table such as tags = { owner = "shop" }, not a list`,
			`11:10: "region" in [[table]] must be a string, not a date or time`,
		}},
		"words": {keyed + "billing = \"ondemand\"\nclass = \"ia\"\nstream = true\nautoscaling = true\n", []string{
			`5:11: "billing" in [[table]] must be "on-demand" or "provisioned", not "ondemand"`,
			`6:9: "class" in [[table]] must be "standard" or "standard-ia", not "ia"`,
			`7:10: "stream" in [[table]] must be "new-and-old-images", "new-image", "old-image" or "keys-only", not true`,
			`8:15: "autoscaling" in [[table]] must be a table such as { read = { min = 5, max = 100, target = 70 } } or false, not true`,
		}},
		"keys": {head + "partition_key = \"id\"\nsort_key = [\"a:X\", 5, \":S\"]\n", []string{
			`4:17: "partition_key" in [[table]] needs a type, S, N or B, such as "id:S", not "id"`,
			`5:13: "sort_key" in [[table]]: a key attribute is of type S, N or B, not "X"`,
			`5:20: "sort_key" in [[table]] must be "attribute:type" such as "id:S", not the number 5`,
			`5:23: "sort_key" in [[table]] must be "attribute:type" such as "id:S", not ":S"`,
		}},
		"no key":           {"schema = 1\n  [[table]]\n  name = \"T\"\n", []string{`2:3: [[table]] needs a "partition_key" such as "id:S", or a "definition" such as "infra/template.yaml#Table"`}},
		"sort key alone":   {head + "sort_key = \"s:S\"\n", []string{`2:1: [[table]] has a "sort_key" and needs a "partition_key" such as "id:S"`}},
		"bad definition":   {head + "definition = \"x.yaml\"\n", []string{`4:14: "definition" in [[table]] must be "file#Resource", such as "infra/template.yaml#ResultsTable", not "x.yaml"`}},
		"types of one key": {keyed + "[[table.gsi]]\nname = \"g\"\npartition_key = \"id:N\"\nprojection = \"all\"\n", []string{`7:17: attribute "id" is of type N here and of type S at line 4`}},
		"table twice":      {keyed + "[[table]]\nname = \"T\"\npartition_key = \"id:S\"\n", []string{`6:8: table "T" is already described at line 3`}},
		"index twice": {keyed + "[[table.gsi]]\nname = \"g\"\npartition_key = \"x:N\"\nprojection = \"all\"\n[[table.lsi]]\nname = \"g\"\nsort_key = \"y:N\"\nprojection = \"some\"\n", []string{
			`10:8: table "T" already has an index "g" at line 6`,
			`12:14: "projection" in [[table.lsi]] must be "all", "keys-only" or a list of attributes, not "some"`,
		}},
		"entity twice":  {keyed + "[[table.entity]]\nname = \"E\"\n[[table.entity]]\nname = \"E\"\n", []string{`8:8: table "T" already has an entity "E" at line 6`}},
		"pattern twice": {pattern + "[[access_pattern]]\nname = \"p\"\ntable = \"U\"\noperation = \"Scan\"\n", []string{`10:8: access pattern "p" is already declared at line 6`}},
		"index parts": {keyed + "[[table.gsi]]\n[[table.lsi]]\npartition_key = \"x:S\"\n", []string{
			`5:1: [[table.gsi]] needs a "name"`, `5:1: [[table.gsi]] needs a "partition_key" such as "companyId:S"`,
			`6:1: [[table.lsi]] needs a "name"`, `6:1: [[table.lsi]] needs a "sort_key" such as "createdAt:N"`,
			`7:17: a local index has its table's partition key: leave "partition_key" out of [[table.lsi]]`,
		}},
		"one bracket": {keyed + "[table.gsi]\nname = \"g\"\npartition_key = \"x:N\"\nprojection = \"al\"\n", []string{
			`5:1: "gsi" must be an array of tables, write [[table.gsi]] with two brackets`,
			`8:14: "projection" in [[table.gsi]] must be "all", "keys-only" or a list of attributes, not "al"`,
		}},
		"entity numbers": {keyed + "[[table.entity]]\nname = \"E\"\nitem_size = \"1.2XB\"\ncount = -1\nbusiest = { id = 4 }\ndistinct = { id = 0 }\ngrowth = \"2/fortnight\"\nretention = \"30\"\nkey = { id = \"A#{x\", idd = \"{x}\" }\n", []string{
			`7:13: "item_size" in [[table.entity]] must be a size such as "900B", "1.2KB" or "3MB", not "1.2XB" (unknown unit "XB")`,
			`8:9: "count" in [[table.entity]] must be a number such as 5000 or "40M", not the number -1`,
			`9:18: "id" in busiest of [[table.entity]] must be a share from 0 to 1 (0.04 is 4 %), not the number 4`,
			`10:19: "id" in distinct of [[table.entity]] must be at least 1, not 0`,
			`11:10: "growth" in [[table.entity]] must be a number a day or a rate such as "300/h" or "2M/day", not "2/fortnight" (unknown unit "/fortnight")`,
			`12:13: "retention" in [[table.entity]] must be a length of time such as "12h", "30d" or "1y", not "30" (the unit is missing)`,
			`13:14: "id" in key of [[table.entity]] must be a template such as "USER#{userId}" with a name in each pair of braces, not "A#{x"`,
			`13:28: "idd" is not in a key of table "T" or of its indexes, did you mean "id"?`,
		}},
		"sizes out of order": {keyed + "[[table.entity]]\nname = \"E\"\nitem_size = { p50 = \"2KB\", max = \"1KB\" }\n", []string{
			`7:34: "max" in item_size of [[table.entity]] must be at least "p50", which is 2048, not 1024`,
		}},
		"attributes": {keyed + "[[table.entity]]\nname = \"E\"\nattributes = { a = \"String\", b = { typ = \"S\" } }\n", []string{
			`7:20: "a" in attributes of [[table.entity]] must be a type, one of S, N, B, BOOL, NULL, SS, NS, BS, L, M, not "String"`,
			`7:36: unknown key "typ" in attribute "b", did you mean "type"?`,
		}},
		"pattern parts": {keyed + "[[access_pattern]]\n", []string{
			`5:1: [[access_pattern]] needs a "name"`, `5:1: [[access_pattern]] needs an "operation" such as "Query"`,
		}},
		"pattern without a table": {"schema = 1\n[[access_pattern]]\nname = \"p\"\noperation = \"Query\"\n", []string{`2:1: [[access_pattern]] needs a "table"`}},
		"unknown names": {pattern + "index = \"byx\"\nentity = \"E\"\nentities = [\"F\"]\n[[access_pattern]]\nname = \"q\"\ntable = \"T\"\noperation = \"query\"\n", []string{
			`9:9: table "T" has no index "byx", it has none`,
			`10:10: table "T" has no entity "E", it has none`,
			`11:13: table "T" has no entity "F", it has none`,
			`15:13: "operation" in [[access_pattern]] must be "GetItem", "BatchGetItem", "Query", "Scan", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactGetItems" or "TransactWriteItems", not "query", did you mean "Query"?`,
		}},
		"rates": {pattern + "rate = \"300/fortnight\"\nfanout = 0\nkeeps = 20\nreturns = nan\norder = \"newest\"\nnames = { st = \"status\" }\nvalues = { \":p\" = [] }\n", []string{
			`9:8: "rate" in [[access_pattern]] must be a number a second or a rate such as "20/s", "300/min", "5k/h" or "2M/day", not "300/fortnight" (unknown unit "/fortnight")`,
			`10:10: "fanout" in [[access_pattern]] must be at least 1, not 0`,
			`11:9: "keeps" in [[access_pattern]] must be a share from 0 to 1 (0.04 is 4 %), not the number 20`,
			`12:11: "returns" in [[access_pattern]] must be a number such as 5000 or "40M", not the number NaN`,
			`13:9: "order" in [[access_pattern]] must be "newest-first", "oldest-first", "ascending" or "descending", not "newest"`,
			`14:11: "st" in names of [[access_pattern]] must begin with "#", as in names = { "#st" = "status" }`,
			`15:19: ":p" in values of [[access_pattern]] must be a string, number or bool, not a list`,
		}},
		"peak below average": {pattern + "rate = { average = 20, peak = 2 }\n", []string{`9:31: "peak" in rate of [[access_pattern]] must be at least "average", which is 20, not 2`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := errorsOf(design(t, c.text))
			for i := range got {
				got[i] = strings.TrimPrefix(got[i], "d.ddb.toml:")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What is right beside a mistake is read, and what is wrong is unresolved.
func TestDesignReadsOnAfterErrors(t *testing.T) {
	r := design(t, "schema = 1\n[[table]]\nname = \"A\"\npartition_key = \"id:X\"\npitr = 3\nclass = \"standard-ia\"\n[[table]]\nname = \"B\"\npartition_key = \"id:S\"\n"+
		"[[access_pattern]]\nname = \"p\"\ntable = \"B\"\nindex = \"none\"\noperation = \"Query\"\nrate = \"x\"\nkey = \"id = :i\"\n")
	if len(r.Errors) != 4 || len(r.Tables) != 2 {
		t.Fatalf("%d tables, errors %q", len(r.Tables), errorsOf(r))
	}
	a, p := r.Tables[0], r.Tables[1].Patterns.Items[0]
	got := []string{show(a.Key.Elements[0].Name), show(a.Key.Elements[0].Type), show(a.PITR), show(a.Class), show(p.Index), show(p.Average), show(p.Peak), show(p.Key)}
	want := []string{
		"id @4:17-4:23", "unresolved: the type is not readable @4:17-4:23", `unresolved: "pitr" is not readable @5:8-5:9`, "STANDARD_INFREQUENT_ACCESS @6:9-6:22",
		"unresolved: no such index: none @13:9-13:15", `unresolved: "rate" is not readable @15:8-15:11`, `unresolved: "rate" is not readable @15:8-15:11`, "id = :i @16:7-16:16",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzDesign(f *testing.F) {
	f.Add(full)
	f.Add("\ufeff" + pattern)
	paths, _ := filepath.Glob("../../fixtures/designs/*.toml")
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil {
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := load.Design(source.NewFile("x", []byte(text)))
		for _, d := range r.Errors {
			within(t, d.At)
			if d.Message == "" || strings.Contains(d.Message, "%!") {
				t.Fatalf("message %q", d.Message)
			}
		}
		for _, tb := range r.Tables {
			for _, s := range []source.Span{tb.At, tb.Name.At, tb.Billing.At, tb.Key.At, tb.TTL.Attribute.At} {
				within(t, s)
			}
			for _, ix := range tb.Indexes() {
				within(t, ix.At)
				within(t, ix.Key.At)
			}
			for _, p := range tb.Patterns.Items {
				within(t, p.At)
				within(t, p.Key.At)
			}
		}
	})
}

func within(t *testing.T, s source.Span) {
	t.Helper()
	end := s.File.PosAt(len(s.File.Data))
	if !s.Known() || end.Before(s.Start) || end.Before(s.End) {
		t.Fatalf("span %v-%v outside a file that ends at %v", s.Start, s.End, end)
	}
}
