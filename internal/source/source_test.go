package source

import "testing"

func TestPosAtCountsCharactersFromOne(t *testing.T) {
	f := NewFile("a", []byte("é=1\r\nkey: 😀 x\n\nend"))
	for offset, want := range map[int]Pos{
		0: {1, 1}, 2: {1, 2}, 6: {2, 1}, 11: {2, 6}, 15: {2, 7}, 18: {3, 1}, 19: {4, 1}, 22: {4, 4},
		-5: {1, 1}, 99: {4, 4},
	} {
		if got := f.PosAt(offset); got != want {
			t.Errorf("offset %d: %v, want %v", offset, got, want)
		}
	}
}

func TestLineHasNoLineEnd(t *testing.T) {
	f := NewFile("a", []byte("one\r\ntwo\n\nlast"))
	for n, want := range []string{"", "one", "two", "", "last", ""} {
		if got := f.Line(n); got != want {
			t.Errorf("line %d: %q, want %q", n, got, want)
		}
	}
	if got := (*File)(nil).Line(1); got != "" {
		t.Errorf("no file: %q", got)
	}
}

func TestSortByPlace(t *testing.T) {
	var list []*Diagnostic
	for i, p := range []Pos{{2, 1}, {1, 9}, {1, 10}, {2, 1}, {1, 2}} {
		list = append(list, Errorf(Span{Start: p}, "%d", i))
	}
	SortByPlace(list)
	got := ""
	for _, d := range list {
		got += d.Message
	}
	if got != "41203" {
		t.Errorf("order %s, want 41203: by line, then column, then as given", got)
	}
}

func TestSpanString(t *testing.T) {
	f := NewFile("a.yaml", nil)
	for want, s := range map[string]Span{
		"-": {}, "a.yaml": {File: f}, "a.yaml:3:7": {File: f, Start: Pos{3, 7}},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Errorf(Span{File: f, Start: Pos{1, 2}}, "found %d", 5).Error(); got != "a.yaml:1:2: found 5" {
		t.Errorf("diagnostic %q", got)
	}
}

func TestOnlyKnownValuesAreGiven(t *testing.T) {
	var at Span
	for name, c := range map[string]struct {
		v                                  Value[int]
		known, written, absent, unresolved bool
	}{
		"zero":       {Value[int]{}, false, false, true, false},
		"absent":     {Absent[int](at), false, false, true, false},
		"written":    {Written(0, at), true, true, false, false},
		"defaulted":  {Defaulted(0, at), true, false, false, false},
		"unresolved": {Unresolved[int]("!Ref X", at), false, false, false, true},
	} {
		v := c.v
		if _, ok := v.Get(); ok != c.known || v.Known() != c.known || v.Written() != c.written || v.Absent() != c.absent || v.Unresolved() != c.unresolved {
			t.Errorf("%s: %+v", name, v)
		}
		if Is(v, 0) != c.known {
			t.Errorf("%s: only a known zero is zero", name)
		}
		half := Map(v, func(int) string { return "n" })
		if half.Origin != v.Origin || half.Why != v.Why {
			t.Errorf("%s: mapped to %+v", name, half)
		}
	}
}
