package rules

import (
	"fmt"
	"strings"
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func withGSIs(ix ...*table.Index) func(*table.Table) {
	return func(t *table.Table) { t.GSIs = listOf(ix...) }
}

func withLSIs(ix ...*table.Index) func(*table.Table) {
	return func(t *table.Table) { t.LSIs = listOf(ix...) }
}

func keyedBy(elements ...string) func(*table.Table) {
	return func(t *table.Table) { t.Key = key(elements...) }
}

func defined(names ...string) func(*table.Table) {
	return func(t *table.Table) { t.Attributes = defs(names...) }
}

func many(n int) (out []*table.Index) {
	for i := range n {
		out = append(out, gsi(fmt.Sprintf("ix%d", i), fmt.Sprintf("a%d:HASH:S", i)))
	}
	return out
}

func TestKeySchemas(t *testing.T) {
	incomplete := func(why string) func(*table.Table) {
		return func(t *table.Table) { t.GSIs.Incomplete = why }
	}
	for _, c := range []ruleCase{
		{
			name: "O16 unused", rule: defAttrMismatch,
			table: base(defined("AAA:S", "BBB:S", "CCC:S", "DDD:S"), keyedBy("AAA:HASH:S"), withGSIs(gsi("b", "BBB:HASH:S"))),
			want:  []string{`^error attribute "CCC" .*schemaless: list only key attributes`, `^error attribute "DDD"`},
		},
		{
			name: "O16 undefined", rule: defAttrMismatch,
			table: base(defined("id:S"), withLSIs(lsi("byStatus", "id:HASH:S", "Status:RANGE:"))),
			want:  []string{`^error "Status" is a key attribute of index "byStatus" and is not in the attribute definitions`},
		},
		{
			name: "O16 unresolved key name", rule: defAttrMismatch, table: base(defined("id:S", "x:S"), keyedBy("?:HASH:S")),
			skips: []string{"!Ref Param"},
		},
		{
			name: "O16 unresolved definition", rule: defAttrMismatch,
			table: base(keyedBy("id:HASH:"), func(t *table.Table) { t.Attributes.Items[0].Name = un[string]("!Ref Param") }),
			skips: []string{"attribute definition name (unresolved: !Ref Param)"},
		},
		{
			name: "indexes unknown, definition may be used", rule: defAttrMismatch,
			table: base(defined("id:S", "x:S"), incomplete("dynamic block")), skips: []string{"gsis (unresolved: dynamic block)"},
		},
		{
			name: "O08 ttl attribute defined", rule: defAttrMismatch,
			table: base(defined("id:S", "exp:N"), func(t *table.Table) { t.TTL = table.TTL{Attribute: w("exp"), Enabled: w(true)} }),
			want:  []string{`^error attribute "exp" .*a ttl attribute needs no definition`},
		},
		{
			name: "no definitions at all", rule: defAttrMismatch, table: base(defined(), keyedBy("id:HASH:")),
			want: []string{`^error "id" is a key attribute of the table`},
		},
		{name: "defined twice", rule: defAttrMismatch, table: base(defined("id:S", "id:N")), want: []string{`^error attribute "id" is defined twice`}},
		{name: "one attribute as both keys", rule: defBaseKeyShape, table: base(keyedBy("id:HASH:S", "id:RANGE:S")), want: []string{`^error the key of the table has the attribute "id" twice`}},
		{name: "one attribute twice in an index", rule: defMgsiAttrCount, table: base(withGSIs(gsi("bad", "x:HASH:S", "x:RANGE:S"))), want: []string{`^error the key of index "bad" has the attribute "x" twice`}},
		{name: "the partition key as sort key", rule: defLSINeedsSortKey, table: base(keyedBy("id:HASH:S", "at:RANGE:S"), withLSIs(lsi("bad", "id:HASH:S", "id:RANGE:S"))), want: []string{`^error the key of index "bad" has the attribute "id" twice`}},
		{name: "format without definitions", rule: defAttrMismatch, table: base(defined())},
		{
			name: "searched by a vector index", rule: defAttrMismatch,
			table: base(defined("id:S", "shop:S"), func(t *table.Table) {
				t.Vectors = listOf(table.VectorIndex{Name: w("v"), Search: listOf(w("shop"))})
			}),
		},

		{name: "fine", rule: defBaseKeyShape, table: base(keyedBy("a:HASH", "b:RANGE"))},
		{name: "names unknown, roles known", rule: defBaseKeyShape, table: base(keyedBy("?:HASH", "?:RANGE"))},
		{
			name: "O16 RANGE first", rule: defBaseKeyShape, table: base(keyedBy("b:RANGE", "a:HASH")),
			want: []string{`^error the key schema begins with RANGE attribute "b"`},
		},
		{name: "no HASH", rule: defBaseKeyShape, table: base(keyedBy("b:RANGE")), want: []string{`^error .*no HASH attribute`}},
		{
			name: "two of each", rule: defBaseKeyShape, table: base(keyedBy("a:HASH", "b:HASH", "c:RANGE", "d:RANGE")),
			want: []string{`^error .*2 HASH attributes, "b"`, `^error .*2 RANGE attributes, "d"`},
		},
		{name: "empty schema", rule: defBaseKeyShape, table: base(keyedBy()), want: []string{`no HASH attribute`}},
		{
			name: "unknown schema", rule: defBaseKeyShape, table: base(keyedBy(), func(t *table.Table) { t.Key.Incomplete = "!If" }),
			skips: []string{"key schema (unresolved: !If)"},
		},
		{name: "unknown role", rule: defBaseKeyShape, table: base(keyedBy("a:?")), skips: []string{"key type (unresolved"}},
		{name: "wrong role", rule: defBaseKeyShape, table: base(keyedBy("a:hash")), want: []string{`^error key type "hash" of "a"`}},

		{
			name: "four and four", rule: defMgsiAttrCount,
			table: base(withGSIs(gsi("g", "a:HASH", "b:HASH", "c:HASH", "d:HASH", "e:RANGE", "f:RANGE", "g:RANGE", "h:RANGE"))),
		},
		{
			name: "five HASH", rule: defMgsiAttrCount, table: base(withGSIs(gsi("g", "a:HASH", "b:HASH", "c:HASH", "d:HASH", "e:HASH"))),
			want: []string{`^error global index "g" has 5 HASH attributes, "e" among them; the limit is 4`},
		},
		{
			name: "five RANGE", rule: defMgsiAttrCount, table: base(withGSIs(gsi("g", "z:HASH", "a:RANGE", "b:RANGE", "c:RANGE", "d:RANGE", "e:RANGE"))),
			want: []string{`^error .* 5 RANGE attributes, "e"`},
		},
		{name: "no HASH", rule: defMgsiAttrCount, table: base(withGSIs(gsi("g", "a:RANGE"))), want: []string{`no HASH attribute`}},
		{
			name: "HASH after RANGE", rule: defMgsiAttrCount, table: base(withGSIs(gsi("g", "a:RANGE", "b:HASH"))),
			want: []string{`HASH attribute "b" after a RANGE`},
		},
		{name: "unresolved", rule: defMgsiAttrCount, table: base(withGSIs(gsi("g", "a:?"))), skips: []string{"g: key type"}},

		{name: "table", rule: defMultiAttrNotGSI, table: base(keyedBy("a:HASH", "b:HASH")), want: []string{`^error the table has 2 HASH`}},
		{
			name: "lsi", rule: defMultiAttrNotGSI, table: base(withLSIs(lsi("l", "a:HASH", "b:RANGE", "c:RANGE"))),
			want: []string{`^error index "l" has 2 RANGE attributes, "c"`},
		},
		{name: "gsi may", rule: defMultiAttrNotGSI, table: base(withGSIs(gsi("g", "a:HASH", "b:HASH")))},
		{name: "unresolved", rule: defMultiAttrNotGSI, table: base(keyedBy("a:HASH", "b:?")), skips: []string{": key type"}},

		{name: "bool", rule: defKeyType, table: base(keyedBy("a:HASH:BOOL")), want: []string{`^error key attribute "a" has type "BOOL"`}},
		{
			name: "once for two uses", rule: defKeyType, table: base(keyedBy("a:HASH:SS"), withGSIs(gsi("g", "a:HASH:SS"))),
			want: []string{`"SS"`},
		},
		{name: "unresolved", rule: defKeyType, table: base(keyedBy("a:HASH:?")), skips: []string{"a: type of a (unresolved: !Ref Param)"}},
		{name: "undefined", rule: defKeyType, table: base(keyedBy("a:HASH:")), skips: []string{"a: type of a (not stated)"}},
		{name: "all three", rule: defKeyType, table: base(keyedBy("a:HASH:N", "b:RANGE:B"), withGSIs(gsi("g", "c:HASH:S")))},

		{
			name: "O16 hash-only table", rule: defLSINeedsSortKey, table: base(withLSIs(lsi("l", "id:HASH", "s:RANGE"))),
			want: []string{`^error local index "l" is on a table without a sort key`},
		},
		{
			name: "other partition key", rule: defLSINeedsSortKey, table: base(keyedBy("id:HASH", "s:RANGE"), withLSIs(lsi("l", "x:HASH", "y:RANGE"))),
			want: []string{`^error .*partition key "x"; it must be the table's, "id"`},
		},
		{
			name: "no own sort key", rule: defLSINeedsSortKey, table: base(keyedBy("id:HASH", "s:RANGE"), withLSIs(lsi("l", "id:HASH"))),
			want: []string{`no sort key of its own`},
		},
		{name: "fine", rule: defLSINeedsSortKey, table: base(keyedBy("id:HASH", "s:RANGE"), withLSIs(lsi("l", "id:HASH", "y:RANGE")))},
		{name: "gsi instead", rule: defLSINeedsSortKey, table: base(withGSIs(gsi("g", "id:HASH", "y:RANGE")))},
		{
			name: "unresolved", rule: defLSINeedsSortKey, table: base(keyedBy("?:HASH", "s:RANGE"), withLSIs(lsi("l", "x:HASH", "y:RANGE"))),
			skips: []string{"partition key of the table (unresolved"},
		},
	} {
		c.run(t)
	}
}

func TestIndexLists(t *testing.T) {
	include := func(name string, n int) *table.Index {
		ix := gsi(name, "a:HASH")
		ix.Projection = w(table.ProjectionInclude)
		for i := range n {
			ix.NonKey.Items = append(ix.NonKey.Items, w(fmt.Sprintf("n%d", i)))
		}
		return ix
	}
	projected := func(p source.Value[string], n int) *table.Index {
		ix := include("g", n)
		ix.Projection = p
		return ix
	}
	lsis := func(n int) (out []*table.Index) {
		for i := range n {
			out = append(out, lsi(fmt.Sprint("l", i), "id:HASH", fmt.Sprint("s", i, ":RANGE")))
		}
		return out
	}
	for _, c := range []ruleCase{
		{name: "O10 8 GSIs", rule: defGSILimit, table: base(withGSIs(many(8)...))},
		{name: "15", rule: defGSILimit, table: base(withGSIs(many(15)...))},
		{name: "16", rule: defGSILimit, table: base(withGSIs(many(16)...)), want: []string{`^warning .*16 global .*80 % of the default quota of 20`}},
		{name: "20", rule: defGSILimit, table: base(withGSIs(many(20)...)), want: []string{`^warning`}},
		{name: "O10 21 GSIs", rule: defGSILimit, table: base(withGSIs(many(21)...)), want: []string{`^error .*21 .* over the default quota of 20`}},
		{
			name: "3 known of more", rule: defGSILimit,
			table: base(withGSIs(many(3)...), func(t *table.Table) { t.GSIs.Incomplete = "for_each" }), skips: []string{"for_each"},
		},
		{
			name: "21 known of more", rule: defGSILimit,
			table: base(withGSIs(many(21)...), func(t *table.Table) { t.GSIs.Incomplete = "for_each" }), want: []string{`^error`},
		},

		{name: "O10 6 LSIs", rule: defLSILimit, table: base(withLSIs(lsis(6)...)), want: []string{`^error .*6 local .*limit is 5 and cannot be raised`}},
		{name: "5 LSIs", rule: defLSILimit, table: base(withLSIs(lsis(5)...))},
		{name: "unknown", rule: defLSILimit, table: base(func(t *table.Table) { t.LSIs.Incomplete = "!If" }), skips: []string{"lsis (unresolved: !If)"}},

		{name: "5", rule: gsiCountHigh, table: base(withGSIs(many(5)...))},
		{name: "16 are the other rule's", rule: gsiCountHigh, table: base(withGSIs(many(16)...))},
		{name: "6", rule: gsiCountHigh, table: base(withGSIs(many(6)...)), want: []string{`^note .* 6 global`}},

		{name: "each", rule: lsiUsed, table: base(withLSIs(lsis(2)...)), want: []string{`^note local index "l0"`, `^note local index "l1"`}},
		{name: "none", rule: lsiUsed, table: base()},

		{name: "79", rule: defNonkeyAttrLimit, table: base(withGSIs(include("g", 79)))},
		{
			name: "same names count twice", rule: defNonkeyAttrLimit, table: base(withGSIs(include("g", 40), include("h", 40))),
			want: []string{`^warning .* 80 projected attributes`},
		},
		{name: "101", rule: defNonkeyAttrLimit, table: base(withGSIs(include("g", 51)), withLSIs(include("l", 50))), want: []string{`^error .* 101 .*limit is 100`}},
		{name: "100 in ALL do not count", rule: defNonkeyAttrLimit, table: base(withGSIs(projected(w("ALL"), 101)))},
		{name: "projection unknown", rule: defNonkeyAttrLimit, table: base(withGSIs(projected(un[string]("!Ref P"), 10))), skips: []string{"projection of g (unresolved: !Ref P)"}},

		{name: "empty", rule: defIncludeEmpty, table: base(withGSIs(include("g", 0))), want: []string{`^error index "g" projects INCLUDE and lists 0`}},
		{name: "list with ALL", rule: defIncludeEmpty, table: base(withGSIs(projected(w("ALL"), 2))), want: []string{`^error .*projects ALL and lists 2 attributes`}},
		{name: "list with KEYS_ONLY", rule: defIncludeEmpty, table: base(withGSIs(projected(w("KEYS_ONLY"), 1))), want: []string{`KEYS_ONLY and lists 1 attribute as`}},
		{name: "wrong", rule: defIncludeEmpty, table: base(withGSIs(projected(w("all"), 0))), want: []string{`projection "all"`}},
		{name: "unresolved", rule: defIncludeEmpty, table: base(withGSIs(projected(un[string]("!Ref P"), 0))), skips: []string{"g: projection (unresolved: !Ref P)"}},
		{name: "fine", rule: defIncludeEmpty, table: base(withGSIs(include("g", 1), projected(w("KEYS_ONLY"), 0)))},

		{
			name: "gsi and lsi", rule: defDuplicateIndexName, table: base(withGSIs(gsi("g", "a:HASH")), withLSIs(lsi("g", "id:HASH", "b:RANGE"))),
			want: []string{`^error second index named "g"`},
		},
		{name: "three of one name", rule: defDuplicateIndexName, table: base(withGSIs(gsi("g"), gsi("g"), gsi("g"))), want: []string{`"g"`}},
		{name: "case differs", rule: defDuplicateIndexName, table: base(withGSIs(gsi("g"), gsi("G")))},
		{
			name: "unresolved", rule: defDuplicateIndexName, table: base(withGSIs(gsi("g"), &table.Index{Name: un[string]("!Ref N")})),
			skips: []string{"index name (unresolved: !Ref N)"},
		},
	} {
		c.run(t)
	}
}

func TestNames(t *testing.T) {
	named := func(v source.Value[string]) func(*table.Table) { return func(t *table.Table) { t.Name = v } }
	for _, c := range []ruleCase{
		{name: "fine", rule: defNameInvalid, table: base(named(w("a.b-c_D9")))},
		{name: "generated", rule: defNameInvalid, table: base(named(source.Value[string]{}))},
		{name: "from a variable", rule: defNameInvalid, table: base(named(un[string]("!Sub ${Env}-orders"))), skips: []string{"table name (unresolved: !Sub ${Env}-orders)"}},
		{name: "space", rule: defNameInvalid, table: base(named(w("my orders"))), want: []string{`^error table name "my orders" has ' ' at position 3`}},
		{name: "one character", rule: defNameInvalid, table: base(named(w("a"))), want: []string{`"a" has 1 character; it takes 3 to 255`}},
		{name: "two characters", rule: defNameInvalid, table: base(named(w("ab"))), want: []string{`2 characters; it takes 3 to 255`}},
		{name: "255", rule: defNameInvalid, table: base(named(w(strings.Repeat("x", 255))))},
		{name: "256", rule: defNameInvalid, table: base(named(w(strings.Repeat("x", 256)))), want: []string{`256 characters`}},
		{name: "index", rule: defNameInvalid, table: base(withGSIs(gsi("by#mail", "a:HASH"))), want: []string{`index name "by#mail"`}},
		{name: "key attribute of 256 bytes", rule: defNameInvalid, table: base(keyedBy(strings.Repeat("é", 128) + ":HASH:S")), want: []string{`256 bytes`}},
		{name: "key attribute with spaces is fine", rule: defNameInvalid, table: base(keyedBy("my key:HASH:S"))},
	} {
		c.run(t)
	}
}

func TestStreamAndTTL(t *testing.T) {
	stream := func(v source.Value[string]) func(*table.Table) { return func(t *table.Table) { t.StreamView = v } }
	ttl := func(types ...string) func(*table.Table) {
		return func(t *table.Table) {
			t.TTL = table.TTL{Attribute: w("exp"), Enabled: w(true)}
			for i, typ := range types {
				e := &table.Entity{Name: w(fmt.Sprint("E", i))}
				if typ != "" {
					e.Attributes = []table.EntityAttribute{{Name: "exp", Type: w(typ)}}
				}
				t.Entities.Items = append(t.Entities.Items, e)
			}
		}
	}
	for _, c := range []ruleCase{
		{name: "none", rule: defStreamViewInvalid, table: base()},
		{name: "fine", rule: defStreamViewInvalid, table: base(stream(w("KEYS_ONLY")))},
		{name: "wrong", rule: defStreamViewInvalid, table: base(stream(w("new_image"))), want: []string{`^error .*"new_image"`}},
		{name: "unresolved", rule: defStreamViewInvalid, table: base(stream(un[string]("!Ref V"))), skips: []string{"!Ref V"}},

		{name: "off", rule: ttlAttrType, table: base()},
		{name: "O08 string", rule: ttlAttrType, table: base(ttl("S")), want: []string{`^error ttl attribute "exp" is of type S in entity "E0"`}},
		{name: "number", rule: ttlAttrType, table: base(ttl("N"))},
		{name: "one entity of two has it", rule: ttlAttrType, table: base(ttl("", "N"))},
		{name: "both kinds", rule: ttlAttrType, table: base(ttl("N", "S")), want: []string{`S in entity "E1"`}},
		{name: "nothing says the type", rule: ttlAttrType, table: base(ttl("")), skips: []string{"exp: the type of exp on items"}},
		{name: "string by definition", rule: ttlAttrType, table: base(ttl(), defined("id:S", "exp:S")), want: []string{`S in the attribute definitions`}},
		{
			name: "attribute unresolved", rule: ttlAttrType,
			table: base(func(t *table.Table) { t.TTL = table.TTL{Attribute: un[string]("var.ttl"), Enabled: w(true)} }), skips: []string{"ttl attribute (unresolved: var.ttl)"},
		},
		{
			name: "disabled", rule: ttlAttrType,
			table: base(ttl("S"), func(t *table.Table) { t.TTL.Enabled = w(false) }),
		},
		{name: "not part of describe-table", rule: ttlAttrType, table: base(func(t *table.Table) {
			t.TTL = table.TTL{Attribute: un[string]("not part of DescribeTable"), Enabled: un[bool]("not part of DescribeTable")}
		}), skips: []string{"not part of DescribeTable"}},
	} {
		c.run(t)
	}
}
