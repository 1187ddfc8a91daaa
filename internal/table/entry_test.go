package table

import (
	"math"
	"testing"

	"ddbvet/internal/source"
)

func known[T any](v T) source.Value[T] { return source.Written(v, source.Span{}) }

func keyOf(names ...string) (k Key) {
	for i, n := range names {
		role := Hash
		if i > 0 {
			role = Range
		}
		k.Elements = append(k.Elements, KeyElement{Attribute: Attribute{Name: known(n), Type: known("S")}, Role: known(role)})
	}
	return k
}

func attribute(name, typ string, size int64) EntityAttribute {
	a := EntityAttribute{Name: name, Type: known(typ)}
	if size >= 0 {
		a.Size = known(size)
	}
	return a
}

func TestEntrySize(t *testing.T) {
	order := &Entity{
		Size: Size{P50: known(int64(900))},
		Key: []Template{
			{"PK", known("USER#{userId}")},
			{"SK", known("ORDER#{orderId}")},
			{"GSI1PK", known("STATUS#{status}")},
			{"GSI1SK", known("{orderDate}")},
		},
		Attributes: []EntityAttribute{
			attribute("userId", "S", 26), attribute("orderId", "S", 26), attribute("status", "S", 7), attribute("orderDate", "S", 10),
			attribute("gift", "BOOL", -1), attribute("note", "S", -1),
		},
	}
	tbl := &Table{Key: keyOf("PK", "SK"), Entities: source.List[*Entity]{Items: []*Entity{order}}}
	index := func(projection string, nonKey ...string) *Index {
		ix := &Index{Kind: GSI, Key: keyOf("GSI1PK", "GSI1SK"), Projection: known(projection)}
		for _, n := range nonKey {
			ix.NonKey.Items = append(ix.NonKey.Items, known(n))
		}
		return ix
	}
	// PK 2 + "USER#" 5 + 26 = 33; SK 2 + "ORDER#" 6 + 26 = 34;
	// GSI1PK 6 + "STATUS#" 7 + 7 = 20; GSI1SK 6 + 10 = 16: together 103.
	for _, c := range []struct {
		name  string
		ix    *Index
		bytes int64
		known bool
	}{
		{"base table", nil, 900, true},
		{"ALL", index(ProjectionAll), 900, true},
		{"KEYS_ONLY", index(ProjectionKeysOnly), 103, true},
		{"INCLUDE status", index(ProjectionInclude, "status"), 103 + 6 + 7, true},
		{"INCLUDE a BOOL of one byte", index(ProjectionInclude, "gift"), 103 + 4 + 1, true},
		{"INCLUDE a key again", index(ProjectionInclude, "PK"), 103, true},
		{"INCLUDE without declared size, at most the item", index(ProjectionInclude, "note"), 900, false},
		{"INCLUDE what nobody declares", index(ProjectionInclude, "other"), 900, false},
	} {
		if n, ok := EntrySize(tbl, c.ix, order); n != c.bytes || ok != c.known {
			t.Errorf("%s: %d %v, want %d %v", c.name, n, ok, c.bytes, c.known)
		}
	}
	gap := index(ProjectionKeysOnly)
	gap.Projection = source.Unresolved[string]("!Ref P", source.Span{})
	if _, ok := EntrySize(tbl, gap, order); ok {
		t.Error("the size of an unknown projection is unknown")
	}
}

// An unsized attribute leaves a range; units are known where the whole range
// rounds to the same number of them.
func TestSpanUnits(t *testing.T) {
	kilobytes := func(bytes float64) float64 { return math.Ceil(bytes / 1024) }
	note := &Entity{Attributes: []EntityAttribute{attribute("id", "S", 10), attribute("note", "S", -1)}}
	tbl := &Table{Key: keyOf("id")}
	include := &Index{Kind: GSI, Key: keyOf("id"), Projection: known(ProjectionInclude), NonKey: source.List[source.Value[string]]{Items: []source.Value[string]{known("note")}}}
	for _, c := range []struct {
		name  string
		item  int64 // under 0: not declared
		units float64
		known bool
	}{
		{"12 to 1,024 bytes are 1 KB", 1024, 1, true},
		{"12 to 1,025 bytes are 1 or 2 KB", 1025, 0, false},
		{"12 bytes and more", -1, 0, false},
	} {
		note.Size = Size{}
		if c.item >= 0 {
			note.Size.P50 = known(c.item)
		}
		s := EntrySpan(tbl, include, note)
		if s.Exact() || len(s.Loose) == 0 || s.Loose[0] != "note" {
			t.Errorf("%s: exact %v, loose %q; want note to be loose", c.name, s.Exact(), s.Loose)
		}
		if units, ok := s.Units(kilobytes); units != c.units || ok != c.known {
			t.Errorf("%s: %v units, known %v; want %v, %v", c.name, units, ok, c.units, c.known)
		}
	}
}

func TestEnters(t *testing.T) {
	order := &Entity{Key: []Template{{"PK", known("USER#{u}")}, {"GSI1PK", known("STATUS#{s}")}}}
	user := &Entity{Key: []Template{{"PK", known("USER#{u}")}}, Attributes: []EntityAttribute{attribute("mail", "S", 9)}}
	maybe := &Entity{Attributes: []EntityAttribute{{Name: "mail", Optional: known(true)}}}
	tbl := &Table{Key: keyOf("PK"), Entities: source.List[*Entity]{Items: []*Entity{order, user, maybe}}}
	overloaded, byMail := &Index{Key: keyOf("GSI1PK")}, &Index{Key: keyOf("mail", "PK")}
	for _, c := range []struct {
		name      string
		ix        *Index
		e         *Entity
		in, known bool
	}{
		{"the table holds every entity", nil, user, true, true},
		{"template", overloaded, order, true, true},
		{"no template where others have one", overloaded, user, false, true},
		{"declared attribute", byMail, user, true, true},
		{"optional attribute", byMail, maybe, false, false},
		{"what another has and this one does not", byMail, order, false, true},
	} {
		if in, known := Enters(tbl, c.ix, c.e); in != c.in || known != c.known {
			t.Errorf("%s: %v %v, want %v %v", c.name, in, known, c.in, c.known)
		}
	}
}

// O15: an entry of keys cannot hold what the item has in attributes that are not
// projected, so that keys of an undeclared length are still one kilobyte.
func TestEntryLeavesOutDeclaredSizes(t *testing.T) {
	optional := attribute("c", "S", 300)
	optional.Optional = known(true)
	e := &Entity{
		Size:       Size{P50: known(int64(3000))},
		Key:        []Template{{"pk", known("U#{user}")}, {"sk", known("I#{id}")}},
		Attributes: []EntityAttribute{attribute("g", "S", 10), attribute("b", "S", 2000), optional, attribute("user", "S", 40)},
	}
	tbl := &Table{Key: keyOf("pk", "sk"), Entities: source.List[*Entity]{Items: []*Entity{e}}}
	keys := &Index{Kind: GSI, Key: keyOf("g"), Projection: known(ProjectionKeysOnly)}
	// pk 2 + 2 + 40, sk 2 + 2 + at least 1, g 1 + 10 = 60; 3,000 without b's 2,001
	// = 999: the optional c may be missing, and user stands in pk.
	if s := EntrySpan(tbl, keys, e); s.Lo != 60 || s.Hi != 999 {
		t.Errorf("span %+v, expected 60 to 999", s)
	}
	include := &Index{Kind: GSI, Key: keyOf("g"), Projection: known(ProjectionInclude), NonKey: source.List[source.Value[string]]{Items: []source.Value[string]{known("b")}}}
	if s := EntrySpan(tbl, include, e); s.Lo != 2061 || s.Hi != 3000 {
		t.Errorf("span %+v, expected 2,061 to 3,000", s)
	}
	// Sizes that contradict the item's size bound nothing: sk, 2 + 2 and any, has 1,024 at most.
	e.Size.P50 = known(int64(1500))
	if s := EntrySpan(tbl, keys, e); s.Lo != 60 || s.Hi != 1081 {
		t.Errorf("span %+v, expected 60 to 1,081", s)
	}
}
