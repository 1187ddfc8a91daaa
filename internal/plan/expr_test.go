package plan

import (
	"slices"
	"strings"
	"testing"

	"ddbvet/internal/source"
)

// dump is a tree in prefix form.
func dump(e *expr) string {
	switch e.Op {
	case opValue:
		return e.Text
	case opLiteral:
		return `"` + e.Text + `"`
	case opPath:
		var b strings.Builder
		for i, st := range e.Path {
			switch {
			case st.Name == "":
				b.WriteString("[]")
			case i > 0:
				b.WriteString("." + st.Name)
			default:
				b.WriteString(st.Name)
			}
		}
		return b.String()
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, dump(a))
	}
	return e.Op + "(" + strings.Join(args, " ") + ")"
}

func TestParse(t *testing.T) {
	for src, tree := range map[string]string{
		`PK = :pk`:                                      `=(PK :pk)`,
		`PK=:pk AND begins_with(SK,"ORDER#")`:           `AND(=(PK :pk) begins_with(SK "ORDER#"))`,
		`a = :a and b between :x and :y`:                `AND(=(a :a) BETWEEN(b :x :y))`,
		`a BETWEEN :x AND :y AND b = 'it "is"'`:         `AND(BETWEEN(a :x :y) =(b "it "is""))`,
		`a = :a OR b = :b AND NOT c <> :c`:              `OR(=(a :a) AND(=(b :b) NOT(<>(c :c))))`,
		`(a = :a OR b = :b) AND c >= :c`:                `AND(OR(=(a :a) =(b :b)) >=(c :c))`,
		`NOT NOT attribute_exists(a.b[0].#c)`:           `NOT(NOT(attribute_exists(a.b[].#c)))`,
		`a IN (:x, :y) AND size(b) > :n`:                `AND(IN(a :x :y) >(size(b) :n))`,
		`contains(tags, :t) AND attribute_type(a, :ty)`: `AND(contains(tags :t) attribute_type(a :ty))`,
		`size = :s`: `=(size :s)`,
		`:v < a`:    `<(:v a)`,
	} {
		e, bad := parse(src)
		if bad != nil {
			t.Errorf("%s: %s", src, bad.Message)
			continue
		}
		want(t, src, dump(e), tree)
	}
}

// The place of a refusal is marked by the text between » and «.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ src, message string }{
		{`»«`, "the expression is empty"},
		{`a = »«`, "syntax error at the end"},
		{`a »==« :b`, ""},
		{`a »!=« :b`, `"<>"`},
		{`»AND« a = :a`, `syntax error at "AND"`},
		{`a = :a »b« = :b`, "AND, OR or the end expected"},
		{`a BETWEEN :x »OR« :y`, "upper bound"},
		{`(a = :a»«`, `")" expected`},
		{`»((a = :a))«`, "redundant parentheses"},
		{`»startswith«(a, :b)`, `invalid function name "startswith"`},
		{`»Begins_With«(a, :b)`, "invalid function name"},
		{`»begins_with(a)«`, "has 1 operands and needs 2"},
		{`begins_with(»:b«, a)`, "must be an attribute"},
		{`»contains(a, :b)« = :c`, "cannot be used as an operand"},
		{`»size(a)«`, "must be compared"},
		{`a = »12«`, "through values"},
		{`a = »"open«`, "no closing"},
		{`first»-«name = :a`, `must be given through names`},
		{`a[»:x«] = :a`, "number of a list element"},
		{`»#« = :a`, "stands alone"},
		{`»é« = :a`, "invalid character"},
	} {
		start := strings.Index(c.src, "»")
		src := strings.Replace(c.src, "»", "", 1)
		end := strings.Index(src, "«")
		src = strings.Replace(src, "«", "", 1)
		_, bad := parse(src)
		if bad == nil {
			t.Errorf("%s: parsed", src)
			continue
		}
		if c.message != "" && (bad.Start != start || bad.End != end) {
			t.Errorf("%s: place %d to %d, want %d to %d", src, bad.Start, bad.End, start, end)
		}
		if !strings.Contains(bad.Message, c.message) {
			t.Errorf("%s: %s", src, bad.Message)
		}
	}
}

func TestLimitsOfExpressions(t *testing.T) {
	terms := func(n int) string { return strings.TrimSuffix(strings.Repeat("a=:a OR ", n), " OR ") }
	for _, c := range []struct {
		name, src string
		ok        bool
	}{
		// 150 comparisons and 149 ORs are 299 operators.
		{"299 operators", terms(150), true},
		{"301 operators", terms(151), false},
		{"IN of 100", "a IN (" + strings.Repeat(":a,", 99) + ":a)", true},
		{"IN of 101", "a IN (" + strings.Repeat(":a,", 100) + ":a)", false},
		{"4096 bytes", "a = :" + strings.Repeat("b", 4091), true},
		{"4097 bytes", "a = :" + strings.Repeat("b", 4092), false},
	} {
		if _, bad := parse(c.src); (bad == nil) != c.ok {
			t.Errorf("%s: %v", c.name, bad)
		}
	}
}

func TestKeyConditionRefusals(t *testing.T) {
	for _, c := range []struct{ key, message string }{
		{"PK = :a OR PK = :b", "the operator OR is not allowed"},
		{"PK <> :a", "the operator <> is not allowed"},
		{"NOT PK = :a", "the operator NOT is not allowed"},
		{"PK IN (:a)", "the operator IN is not allowed"},
		{"PK = :a AND contains(SK, :b)", "the operator contains is not allowed"},
		{"PK = :a AND attribute_exists(SK)", "the operator attribute_exists is not allowed"},
		{"PK = :a AND size(SK) > :n", "size is not allowed"},
		{"PK = :a AND SK.b = :b", "nested attribute"},
		{"PK = :a AND SK >= :b AND SK <= :c", "two conditions on \"SK\""},
		{"PK = SK", "one key attribute with a value"},
		{":a = :b", "one key attribute with a value"},
		{"#p = :a", `"#p" is not defined in names`},
	} {
		r := Pattern(newTable("PK / SK"), pat("Query", "key="+c.key))
		if summary(r) != "bad-expression()" || !strings.Contains(r.Faults[0].Message, c.message) {
			t.Errorf("%s: %s %+v", c.key, summary(r), r.Faults)
		}
	}
}

// TestReservedWordHidesNothing: what else is wrong is told at once.
func TestReservedWordHidesNothing(t *testing.T) {
	for key, kinds := range map[string]string{
		"PK = :a AND begins_with(status, :s)": "bad-expression()",
		"PK = :a AND state = :s":              "bad-expression() not-key(state)",
		"status = :s":                         "bad-expression() partition-missing(PK) not-key(status)",
	} {
		tbl := newTable("PK / status")
		if key == "status = :s" {
			tbl = newTable("PK")
		}
		r := Pattern(tbl, pat("Query", "key="+key))
		if summary(r) != kinds || !strings.Contains(r.Faults[0].Message, "is a reserved word") {
			t.Errorf("%s: %s %+v", key, summary(r), r.Faults)
		}
	}
}

func TestMirroredComparison(t *testing.T) {
	want(t, "value first", summary(Pattern(newTable("PK / SK"), pat("Query", "key=:a = PK AND :b <= SK"))), "Query base: PK = :a AND SK >= :b")
}

func TestPlaceholdersMustBeUsed(t *testing.T) {
	users := newTable("userId / createdAt", gsi("byMail", "mail", "ALL"))
	for _, c := range []struct {
		name string
		p    []string
		want string
	}{
		{"unused name", []string{"key=userId = :u", "#x=status"}, "bad-expression(status)"},
		{"name of a projection", []string{"key=userId = :u", "#x=status", "needs=status"}, "Query base: userId = :u"},
		{"name in the filter", []string{"key=userId = :u", "#x=status", "filter=#x = :s"}, "Query base: userId = :u"},
		{"unused value", []string{"key=userId = :u", ":x=1"}, "bad-expression()"},
		{"nested name", []string{"key=userId = :u", "#x=zip", "filter=address.#x = :s"}, "Query base: userId = :u"},
	} {
		want(t, c.name, summary(Pattern(users, pat("Query", c.p...))), c.want)
	}
	// An update expression is not declared and may use any of them.
	want(t, "update", string(Pattern(users, pat("UpdateItem", "key=userId = :u AND createdAt = :c", "#x=status", ":y=1")).State), "served")
	// A GetItem's key is a map: a reserved word is a name like another there.
	want(t, "reserved in a map", summary(Pattern(newTable("token"), pat("GetItem", "key=token = :t"))), "GetItem base: token = :t")
	want(t, "reserved in an expression", summary(Pattern(newTable("token"), pat("Query", "key=token = :t"))), "bad-expression()")
}

func TestReservedWords(t *testing.T) {
	if len(reservedWords) != 573 || !slices.IsSorted(reservedWords) {
		t.Fatalf("%d words, sorted %v", len(reservedWords), slices.IsSorted(reservedWords))
	}
	for _, word := range []string{"ABORT", "name", "Status", "ttl", "zone", "year", "counter"} {
		if !isReserved(word) {
			t.Errorf("%q must be reserved", word)
		}
	}
	for _, word := range []string{"id", "userId", "createdAt", "PK", "email", "price"} {
		if isReserved(word) {
			t.Errorf("%q must not be reserved", word)
		}
	}
}

func TestPlaceInsideTheString(t *testing.T) {
	const doc = "# é\nkey = \"é = :a AND PK <> :b\"\nesc = \"PK \\u003c> :b\"\nlit = 'PK <> :b'\n"
	f := source.NewFile("a.ddb.toml", []byte(doc))
	at := func(line, col int) source.Span { return source.Span{File: f, Start: source.Pos{Line: line, Col: col}} }
	for _, c := range []struct {
		v          source.Value[string]
		start, end int
		want       string
	}{
		// "é" takes two bytes and one column.
		{source.Written("é = :a AND PK <> :b", at(2, 7)), 12, 20, "a.ddb.toml:2:19"},
		{source.Written("PK <> :b", at(3, 7)), 3, 5, "a.ddb.toml:3:7"},
		{source.Written("PK <> :b", at(4, 7)), 3, 5, "a.ddb.toml:4:11"},
		{source.Written("other", at(4, 7)), 0, 1, "a.ddb.toml:4:7"},
	} {
		got := within(c.v, c.start, c.end)
		want(t, "place", got.String(), c.want)
	}
	p := pat("Query")
	p.Key = source.Written("é = :a AND PK <> :b", at(2, 7))
	r := Pattern(newTable("PK / SK"), p)
	want(t, "fault", r.Faults[0].At.String(), "a.ddb.toml:2:8")
}

func FuzzExpr(f *testing.F) {
	for _, s := range []string{
		"", "PK = :pk AND begins_with(SK, \"ORDER#\")", "a BETWEEN :x AND :y", "a IN (:a,:b) OR NOT size(b.c[0]) <= :n",
		"((a=:b))", "#x = 'y", "é", "a = :b AND", "attribute_type(a, :t) AND contains(#a.#b, :c)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		root, bad := parse(src)
		if bad != nil {
			if bad.Start < 0 || bad.Start > bad.End || bad.End > len(src) || bad.Message == "" {
				t.Fatalf("%q: refusal %+v", src, bad)
			}
			return
		}
		root.walk(func(e *expr) {
			if e.Start < 0 || e.Start >= e.End || e.End > len(src) {
				t.Fatalf("%q: node %s at %d to %d", src, e.Op, e.Start, e.End)
			}
		})
		// What was parsed as key and as filter must plan without panic.
		for _, op := range []string{"Query", "Scan", "GetItem", "UpdateItem"} {
			p := pat(op)
			p.Key, p.Filter = w(src), w(src)
			r := Pattern(newTable("PK / SK", gsi("a", "a / b,c", "KEYS_ONLY")), p)
			if (r.State == Served) != (r.Access != nil) || r.State == Unserved && len(r.Faults) == 0 || r.State == Unknown && len(r.Needs) == 0 {
				t.Fatalf("%q: %+v", src, r)
			}
		}
	})
}
