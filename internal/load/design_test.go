package load_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/load"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func design(t *testing.T, text string) load.Result {
	t.Helper()
	return load.Design(source.NewFile("d.ddb.toml", []byte(text)))
}

// errorsOf are the diagnostics as people see them.
func errorsOf(r load.Result) []string {
	var out []string
	for _, d := range r.Errors {
		out = append(out, d.Error())
	}
	return out
}

func one(t *testing.T, text string) *table.Table {
	t.Helper()
	r := design(t, text)
	if len(r.Errors) > 0 || len(r.Tables) != 1 {
		t.Fatalf("got %d tables and errors %q", len(r.Tables), errorsOf(r))
	}
	return r.Tables[0]
}

// show prints a value with its origin and place.
func show[T any](v source.Value[T]) string {
	x, _ := v.Get()
	at := fmt.Sprintf(" @%d:%d", v.At.Start.Line, v.At.Start.Col)
	if v.At.End.Known() {
		at += fmt.Sprintf("-%d:%d", v.At.End.Line, v.At.End.Col)
	}
	switch v.Origin {
	case source.IsAbsent:
		return "absent"
	case source.IsUnresolved:
		return "unresolved: " + v.Why + at
	case source.IsDefaulted:
		return fmt.Sprintf("default %v", x)
	}
	return fmt.Sprintf("%v%s", x, at)
}

const full = `schema = 1 # über-comment "x" = 5
region = "eu-west-1"

[[table]] # the table
name = "Results"
partition_key = "id:S" # "é" = 1
sort_key = "at:N"
billing = "provisioned"
read_capacity = 10
write_capacity = 20
autoscaling = { read = { min = 5, max = 50, target = 70 }, write = { min = 6, max = 60 } }
ttl = "expiresAt"
pitr = true
class = "standard-ia"
replicas = ["us-west-2", "eu-west-1"]
stream = "new-and-old-images"
kms_key = "alias/x"
tags = { owner = "shop", "cost center" = 12 }
item_count = 1_000
size = "1.5GB"

  [[table.gsi]]
  name = "byCompany"
  partition_key = ["c:S", "t:S"]
  sort_key = "at:N"
  projection = ["score", 'x']
  sparse = true
  max_write = 9
  [[table.lsi]]
  name = "byAge"
  sort_key = "age:N"
  projection = "keys-only"

  [[table.entity]]
  name = "Result"
  key = { id = "R#{id}", at = "{createdAt}" }
  count = 40_000_000
  item_size = { p50 = "1.2KB", p99 = "6KB", max = "40KB" }
  distinct = { c = 5_000 }
  busiest = { c = 0.04 }
  growth = "2M/day"
  retention = "30d"
  owner = "team"
  attributes = { u = "SS", answers = { type = "M", size = "900B", element_size = "20B", max_elements = 7, unbounded = true, optional = true, copy_of = "User" } }

[[access_pattern]]
name = "write"
table = "Results"
operation = "UpdateItem"
entity = "Result"
sets = ["score"]
appends = { attribute = "answers", size = "20B", times = 100 }
rate = "300/min"

[[access_pattern]]
name = "read"
table = "Results"
index = "byCompany"
operation = "Query"
entities = ["Result"]
key = '#c = :c AND t = :t'
filter = "x > :x"
names = { "#c" = "c" }
values = { ":c" = "C#{c}", ":x" = 5 }
returns = 25
keeps = 0.5
needs = ["score"]
order = "newest-first"
order_by = "at"
consistent = false
rate = { average = 20, peak = "1.2k/min" }
path = "batch"
fanout = 4

[[access_pattern]]
name = "elsewhere"
table = "Other"
operation = "Scan"
`

func TestDesignReadsEveryKey(t *testing.T) {
	r := design(t, full)
	if len(r.Errors) > 0 {
		t.Fatal(errorsOf(r))
	}
	tb := r.Tables[0]
	ix, lsi, e := tb.GSIs.Items[0], tb.LSIs.Items[0], tb.Entities.Items[0]
	w, q := tb.Patterns.Items[0], tb.Patterns.Items[1]
	read, _ := tb.Scaling.Read.Get()
	write, _ := tb.Scaling.Write.Get()
	for _, c := range []struct{ what, got, want string }{
		{"table at", tb.At.String(), "d.ddb.toml:4:1"},
		{"name", show(tb.Name), "Results @5:8-5:17"},
		{"region", show(tb.Region), "eu-west-1 @2:10-2:21"},
		{"key 0", show(tb.Key.Elements[0].Name), "id @6:17-6:23"},
		{"key 0 type", show(tb.Key.Elements[0].Type), "S @6:17-6:23"},
		{"key 1", show(tb.Key.Elements[1].Name) + " " + show(tb.Key.Elements[1].Role), "at @7:12-7:18 RANGE @7:12-7:18"},
		{"billing", show(tb.Billing), "PROVISIONED @8:11-8:24"},
		{"rcu", show(tb.Capacity.Read), "10 @9:17-9:19"},
		{"wcu", show(tb.Capacity.Write), "20 @10:18-10:20"},
		{"read scaling", show(read.Min) + show(read.Max) + show(read.Percent), "5 @11:32-11:3350 @11:41-11:4370 @11:54-11:56"},
		{"write scaling", show(write.Min) + show(write.Max) + show(write.Percent), "6 @11:76-11:7760 @11:85-11:87absent"},
		{"ttl", show(tb.TTL.Attribute) + show(tb.TTL.Enabled), "expiresAt @12:7-12:18true @12:7-12:18"},
		{"pitr", show(tb.PITR), "true @13:8-13:12"},
		{"protection", show(tb.DeletionProtection), "default false"},
		{"class", show(tb.Class), "STANDARD_INFREQUENT_ACCESS @14:9-14:22"},
		{"replica", show(tb.Replicas.Items[1].Region), "eu-west-1 @15:26-15:37"},
		{"stream", show(tb.StreamView), "NEW_AND_OLD_IMAGES @16:10-16:30"},
		{"kms", show(tb.KMSKey), "alias/x @17:11-17:20"},
		{"tag", show(tb.Tags.Items[1].Key) + " " + show(tb.Tags.Items[1].Value), "cost center @18:26-18:39 12 @18:42-18:44"},
		{"count", show(tb.ItemCount), "1000 @19:14-19:19"},
		{"size", show(tb.SizeBytes), "1610612736 @20:8-20:15"},
		{"index at", ix.At.String(), "d.ddb.toml:22:3"},
		{"index key 1", show(ix.Key.Elements[1].Name), "t @24:27-24:32"},
		{"projection", show(ix.Projection) + " " + show(ix.NonKey.Items[1]), "INCLUDE @26:16-26:30 x @26:26-26:29"},
		{"sparse", show(ix.Sparse), "true @27:12-27:16"},
		{"index max", show(ix.MaxOnDemand.Write) + show(ix.MaxOnDemand.Read), "9 @28:15-28:16absent"},
		{"lsi key", show(lsi.Key.Elements[0].Name) + show(lsi.Key.Elements[1].Name), "id @6:17-6:23age @31:14-31:21"},
		{"lsi projection", show(lsi.Projection), "KEYS_ONLY @32:16-32:27"},
		{"template", show(e.Key[0].Text), "R#{id} @36:16-36:24"},
		{"entity count", show(e.Count), "4e+07 @37:11-37:21"},
		{"p50", show(e.Size.P50), "1229 @38:23-38:30"},
		{"p99, max", show(e.Size.P99) + show(e.Size.Max), "6144 @38:38-38:4340960 @38:51-38:57"},
		{"distinct", show(table.StatOf(e.Distinct, "c")), "5000 @39:20-39:25"},
		{"busiest", show(table.StatOf(e.Busiest, "c")), "0.04 @40:19-40:23"},
		{"growth a day", show(e.Growth), "2e+06 @41:12-41:20"},
		{"retention", show(e.Retention), "2.592e+06 @42:15-42:20"},
		{"owner", show(e.Owner), "team @43:11-43:17"},
		{"attribute", show(e.Attribute("u").Type), "SS @44:22-44:26"},
		{"attribute at", e.Attribute("answers").At.String(), "d.ddb.toml:44:28"},
		{"copied", show(e.Attribute("answers").Copied), "User @44:152-44:158"},
		{"elements", show(e.Attribute("answers").Element) + show(e.Attribute("answers").Elements), "20 @44:82-44:877 @44:104-44:105"},
		{"rate", show(w.Average), "5 @53:8-53:17"},
		{"peak of one rate", show(w.Peak), "default 5"},
		{"sets", show(w.Sets.Items[0]), "score @51:9-51:16"},
		{"appends", show(w.Appends.Size) + show(w.Appends.Times), "20 @52:43-52:48100 @52:58-52:61"},
		{"pattern at", q.At.String(), "d.ddb.toml:55:1"},
		{"key", show(q.Key), "#c = :c AND t = :t @61:7-61:27"},
		{"alias", q.Names[0].Alias + show(q.Names[0].Name), "#cc @63:18-63:21"},
		{"values", show(q.Values[0].Text) + show(q.Values[1].Text), "C#{c} @64:19-64:265 @64:35-64:36"},
		{"returns", show(q.Returns), "25 @65:11-65:13"},
		{"peak", show(q.Average) + show(q.Peak), "20 @71:20-71:2220 @71:31-71:41"},
		{"fanout", show(q.Fanout), "4 @73:10-73:11"},
		{"consistent", show(q.Consistent), "false @70:14-70:19"},
		{"path", show(q.Path), "batch @72:8-72:15"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
	if w.WholeItem != true || q.WholeItem != false || w.Sets.Complete() != true || q.Sets.Complete() {
		t.Error("needs or sets: declared and not declared are confused")
	}
	if len(r.Patterns) != 1 || show(r.Patterns[0].Name) != "elsewhere @76:8-76:19" {
		t.Errorf("the pattern of a table of another file is not kept: %v", r.Patterns)
	}
	var defs []string
	for _, d := range tb.Attributes.Items {
		n, _ := d.Name.Get()
		ty, _ := d.Type.Get()
		defs = append(defs, n+":"+ty)
	}
	if got := strings.Join(defs, " "); got != "id:S at:N c:S t:S age:N" {
		t.Errorf("attribute definitions: %s", got)
	}
	if !tb.Declared || tb.ResourceType != "design" || tb.LogicalName != "Results" {
		t.Errorf("declared %v, type %q, logical name %q", tb.Declared, tb.ResourceType, tb.LogicalName)
	}
}

func TestDesignOmitted(t *testing.T) {
	tb := one(t, "schema = 1\n[[table]]\nname = \"T\"\npartition_key = \"id:S\"\n  [[table.gsi]]\n  name = \"g\"\n  partition_key = \"x:N\"\n")
	got := []string{
		show(tb.Billing), show(tb.Class), show(tb.PITR), show(tb.TTL.Attribute), show(tb.TTL.Enabled), show(tb.StreamView),
		show(tb.Region), show(tb.GSIs.Items[0].Projection), show(tb.Capacity.Read), show(tb.ItemCount),
	}
	want := []string{
		"unresolved: billing is not stated @2:1-2:10", "default STANDARD", "default false", "absent", "default false", "absent",
		"absent", "unresolved: the projection is not stated @5:3-5:16", "absent", "absent",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if tb.Declared || !tb.Scaling.Read.Unresolved() || !tb.GSIs.Complete() || !tb.LSIs.Complete() || !tb.Replicas.Complete() {
		t.Errorf("declared %v, scaling %s", tb.Declared, show(tb.Scaling.Read))
	}
	provisioned := one(t, "schema = 1\n[[table]]\nname = \"T\"\npartition_key = \"id:S\"\nbilling = \"provisioned\"\n")
	if !provisioned.Scaling.Read.Absent() {
		t.Error("a provisioned design without auto scaling has none")
	}
	none := one(t, "schema = 1\n[[table]]\nname = \"T\"\npartition_key = \"id:S\"\nautoscaling = false\n")
	if !none.Scaling.Write.Absent() || none.Scaling.Write.At.Start.Line != 5 {
		t.Errorf("autoscaling = false: %s", show(none.Scaling.Write))
	}
}

// What a definition elsewhere may say is unresolved, never a default.
func TestDesignDefinition(t *testing.T) {
	r := design(t, `schema = 1
[[table]]
definition = "infra/t.yaml#Results"
pitr = false
[[access_pattern]]
name = "p"
table = "Results"
index = "byX"
operation = "Query"
key = "x = :x"
`)
	if len(r.Errors) > 0 || len(r.Patterns) > 0 {
		t.Fatal(errorsOf(r), r.Patterns)
	}
	tb := r.Tables[0]
	got := []string{tb.LogicalName, show(tb.Name), show(tb.Class), show(tb.PITR), show(tb.TTL.Enabled), show(tb.Scaling.Read), show(tb.Definition), show(tb.Patterns.Items[0].Index)}
	want := []string{
		"Results", "unresolved: it is in the definition @2:1-2:10", "unresolved: it is in the definition @2:1-2:10", "false @4:8-4:13",
		"unresolved: it is in the definition @2:1-2:10", "unresolved: neither billing nor auto scaling is stated @2:1-2:10",
		"infra/t.yaml#Results @3:14-3:36", "byX @8:9-8:14",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if tb.Key.Complete() || tb.GSIs.Complete() || tb.LSIs.Complete() || tb.Replicas.Complete() || tb.Attributes.Complete() {
		t.Error("keys and indexes of a definition elsewhere are taken for known")
	}
}

func TestDesignDefaults(t *testing.T) {
	r := design(t, `schema = 1
[defaults]
consistent = true
reason = "ledger"
rate = { average = 2, peak = 8 }
returns = 10
order = "newest-first"
path = "batch"
[[table]]
name = "T"
partition_key = "id:S"
[[access_pattern]]
name = "query"
operation = "Query"
key = "id = :i"
[[access_pattern]]
name = "own"
table = "T"
operation = "Query"
key = "id = :i"
consistent = false
rate = 1
returns = 3
path = "main"
[[access_pattern]]
name = "get"
table = "T"
operation = "GetItem"
[[access_pattern]]
name = "put"
table = "T"
operation = "PutItem"
`)
	if len(r.Errors) > 0 {
		t.Fatal(errorsOf(r))
	}
	want := []string{
		"true 3 ledger 2 8 10 newest-first batch T",
		"false 21 - 1 1 3 newest-first main T",
		"true 3 ledger 2 8 - - batch T",
		"- 26 - 2 8 - - batch T",
	}
	for i, p := range r.Tables[0].Patterns.Items {
		got := fmt.Sprintf("%s %d %s %s %s %s %s %s %s", word(p.Consistent), p.Consistent.At.Start.Line, word(p.Reason), word(p.Average), word(p.Peak),
			word(p.Returns), word(p.Order), word(p.Path), word(p.Table))
		want := want[i]
		if i == 3 { // an absent value has the place of its pattern
			want = strings.Replace(want, "26", strconv.Itoa(p.At.Start.Line), 1)
		}
		if got != want {
			t.Errorf("pattern %d: got %s, want %s", i, got, want)
		}
	}
	if c := r.Tables[0].Patterns.Items[0].Consistent; c.Origin != source.IsDefaulted {
		t.Error("a value of [defaults] must be a default")
	}
}

func word[T any](v source.Value[T]) string {
	if x, ok := v.Get(); ok {
		return fmt.Sprint(x)
	}
	return "-"
}
