package terraform

import (
	"strings"
	"testing"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// unknownText is an unknown of the parts of a template: ${…} is a reference.
// Without any literal it is the references alone.
func unknownText(template string) *node.Node {
	var parts []*node.Node
	for template != "" {
		text, rest, found := strings.Cut(template, "${")
		if text != "" {
			parts = append(parts, &node.Node{Kind: node.String, Text: text})
		}
		if !found {
			break
		}
		ref, after, _ := strings.Cut(rest, "}")
		parts, template = append(parts, Ref(ref, source.Span{})), after
	}
	return Unknown("not known", source.Span{}, parts...)
}

func textNode(s string) *node.Node { return &node.Node{Kind: node.String, Text: s} }

// res is a resource of the given arguments; a text with ${ is unknown.
func res(kind, address, key string, args ...string) Resource {
	body := &node.Node{Kind: node.Map}
	for i := 0; i < len(args); i += 2 {
		v := textNode(args[i+1])
		if strings.Contains(args[i+1], "${") {
			v = unknownText(args[i+1])
		}
		body.Pairs = append(body.Pairs, node.Pair{Key: textNode(args[i]), Value: v})
	}
	return Resource{Type: kind, Address: address, Base: withoutLast(address, key), Key: key, Body: body}
}

func withoutLast(address, key string) string {
	if key == "" {
		return address
	}
	return address[:strings.LastIndexByte(address, '[')]
}

func scaler(id string) Resource {
	return res(TypeTarget, "aws_appautoscaling_target.s", "", "resource_id", id,
		"scalable_dimension", "dynamodb:table:ReadCapacityUnits", "min_capacity", "1", "max_capacity", "9")
}

// Each case scales reads of table a, or does not, or may.
func TestTargetsAreJoinedByWhatIsKnown(t *testing.T) {
	a := func(name string) Resource {
		return res(TypeTable, "module.m.aws_dynamodb_table.a", "", "name", name, "hash_key", "h")
	}
	b := res(TypeTable, "module.m.aws_dynamodb_table.b", "", "name", "other", "hash_key", "h")
	const hit, none, may = "1..9@- -", "- -", "? aws_appautoscaling_target.s may scale it -"
	for _, c := range []struct {
		id, name, target, want string
	}{
		{"literal", "orders", "table/orders", hit},
		{"another literal", "orders", "table/order", none},
		{"an index of the table", "orders", "table/orders/index/x", none},
		{"a path of another service", "orders", "service/x/y", none},
		{"literal, name not known", "${var.stage}-orders", "table/test-orders", may},
		{"literal that cannot be the name", "${var.stage}-orders", "table/test-users", none},
		{"literal that is another table's", "${var.stage}", "table/other", none},
		{"template of the table's name", "${var.stage}-orders", "table/${module.m.aws_dynamodb_table.a.name}", hit},
		{"template of the table's id, name known", "orders", "table/${module.m.aws_dynamodb_table.a.id}", hit},
		{"template of another table's name", "${var.stage}-orders", "table/${module.m.aws_dynamodb_table.b.name}", none},
		{"template of a table in another module", "orders", "table/${aws_dynamodb_table.a.name}", may},
		{"template made as the name is", "${var.stage}-orders", "table/${var.stage}-orders", hit},
		{"template made of something else", "${var.stage}-orders", "table/${var.name}-orders", may},
		{"template that cannot be the name", "orders", "table/${var.name}-users", none},
		{"template of an index", "orders", "table/${module.m.aws_dynamodb_table.a.name}/index/x", none},
		{"name with something around it", "orders", "table/${module.m.aws_dynamodb_table.a.name}x", none},
		{"whole path not known", "orders", "${var.id}", may},
		{"references alone", "${random_pet.x.id}", "${module.m.aws_dynamodb_table.a.name}", hit},
		{"references alone, to the other", "${random_pet.x.id}", "${module.m.aws_dynamodb_table.b.name}", none},
		{"references alone, to both", "${random_pet.x.id}", "${module.m.aws_dynamodb_table.a.name}${module.m.aws_dynamodb_table.b.name}", may},
	} {
		tables, _ := Tables([]Resource{a(c.name), b, scaler(c.target)})
		if got := scalingFact(tables[0].Scaling); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}

// An instance is named by its key; a reference without one to many instances
// names the one of the same key where the key goes into it.
func TestTargetsOfManyInstances(t *testing.T) {
	many := []Resource{
		res(TypeTable, `aws_dynamodb_table.t["a"]`, "a", "name", "${var.n}", "hash_key", "h"),
		res(TypeTable, `aws_dynamodb_table.t["b"]`, "b", "name", "${var.m}", "hash_key", "h"),
	}
	const hit, none, may = "1..9@- -", "- -", "? aws_appautoscaling_target.s may scale it -"
	for _, c := range []struct{ id, key, target, a, b string }{
		{"by key", "", `table/${aws_dynamodb_table.t["b"].name}`, none, hit},
		{"by a key that there is not", "", `table/${aws_dynamodb_table.t["c"].name}`, none, none},
		{"without a key", "", `table/${aws_dynamodb_table.t.name}`, may, may},
		{"by its own key", "a", `${aws_dynamodb_table.t}${each.key}`, hit, none},
		{"by its own key, of no table", "z", `${aws_dynamodb_table.t}${each.key}`, may, may},
	} {
		s := scaler(c.target)
		s.Key = c.key
		tables, _ := Tables(append(many[:2:2], s))
		if a, b := scalingFact(tables[0].Scaling), scalingFact(tables[1].Scaling); a != c.a || b != c.b {
			t.Errorf("%s: %q and %q, want %q and %q", c.id, a, b, c.a, c.b)
		}
	}
}

// A resource that may not exist decides nothing, one that does not is none.
func TestResourcesInDoubt(t *testing.T) {
	table := res(TypeTable, "aws_dynamodb_table.t", "", "name", "t", "hash_key", "h")
	table.PreventDestroy = source.Written(true, source.Span{})
	s := scaler("table/t")
	s.Exists = source.Unresolved[bool]("count is not known", source.Span{})
	gone := res(TypeTable, "aws_dynamodb_table.gone", "", "name", "gone", "hash_key", "h")
	gone.Exists = source.Written(false, source.Span{})
	replica := res(TypeReplica, "aws_dynamodb_table_replica.r", "", "global_table_arn", "${var.arn}")
	index := res(TypeIndex, "aws_dynamodb_global_secondary_index.i", "", "table_name", "${var.table}", "index_name", "i")
	tables, _ := Tables([]Resource{table, gone, s, replica, index})
	if len(tables) != 1 {
		t.Fatalf("%d tables, want 1", len(tables))
	}
	f := factsOf(tables[0])
	for fact, want := range map[string]string{
		"scaling":  "? aws_appautoscaling_target.s may scale it -",
		"replicas": "[... aws_dynamodb_table_replica.r may be a replica of this table]",
		"gsis":     "[... aws_dynamodb_global_secondary_index.i may be an index of this table]",
		"key":      "HASH h:-", // another index cannot give the table's own key its type
		"deletion": "Retain",
	} {
		if f[fact] != want {
			t.Errorf("%s is %q, want %q", fact, f[fact], want)
		}
	}
}
