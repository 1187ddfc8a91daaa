package tomlpos

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// seeds hold every form of key, string, comment and table.
var seeds = []string{
	"", "\n", "# only a comment", "a = 1", "a.b.c = 'x' # c\r\nd = \"\"\"x\r\n\\\"\"\"\"\"\"\r\n",
	"[a]\nb = [1, [2, 3], { c = 4, d.e = 5 }, # x ]\n]\n[a.c]\nd = 1979-05-27 07:32:00\n[[a.d]]\n[[a.d]]\nx=1\n[a.d.e]\ny=inf\n",
	"\"k \\u00e9\\\"#=\" . 'r.w' = { x = \"]}#\", y = ''' '' ''''', }\n", "[[t]]\n[[t.g]]\nn=\"a\"\n[[t.g]]\nn=\"b\"\n[[t]]\n[[t.g]]\nn=\"c\"\n",
	"\"\\x41\\e\" = +1_000.5e-3\n", "\ufeffa = 1", "\ufeff\ufeffa = 1", "x = \"\"\"\"\"\"\ny = ''''''\nz = \"\"\"a\\\n   b\"\"\"\n",
	"a = {\n b = 1, # one\n c = [ { d = 2 } ],\n}\n", "[ a . \"b\" ]\n[[ c . d ]]\n",
}

// check compares the scanner with the decoder on one document.
func check(t *testing.T, doc string) {
	sc := scan(doc) // must end without a panic whatever doc is
	f := source.NewFile("x.toml", []byte(doc))
	root, bad := Parse(f)
	if bad != nil {
		inside(t, bad.At)
		return
	}
	places(t, root)
	if strings.HasPrefix(doc, "\ufeff") {
		sc = scan(strings.TrimPrefix(doc, "\ufeff"))
	}
	var v map[string]any
	md, err := toml.Decode(doc, &v)
	if err != nil {
		t.Fatalf("Parse accepts what the decoder refuses: %v", err)
	}
	keys := md.Keys()
	if len(keys) != len(sc.keys) {
		t.Fatalf("scanner found %d keys, decoder %d:\n%q\n%q", len(sc.keys), len(keys), sc.keys, keys)
	}
	for i, k := range keys {
		if strings.Join(k, "\x00") != strings.Join(sc.keys[i], "\x00") {
			t.Fatalf("key %d is %q, decoder says %q", i, sc.keys[i], k)
		}
	}
	if n := missing(v, sc.root); n != "" {
		t.Fatalf("no place for %s in %q", n, doc)
	}
}

func inside(t *testing.T, s source.Span) {
	t.Helper()
	f := s.File
	end := f.PosAt(len(f.Data))
	if !s.Known() || end.Before(s.Start) || end.Before(s.End) || s.End.Known() && s.End.Before(s.Start) {
		t.Fatalf("span %v to %v is not inside the file, which ends at %v", s.Start, s.End, end)
	}
}

func places(t *testing.T, n *node.Node) {
	inside(t, n.At)
	for _, el := range n.Items {
		places(t, el)
	}
	for _, p := range n.Pairs {
		inside(t, p.Key.At)
		places(t, p.Value)
	}
}

// missing names a decoded value that the scanner has no entry for.
func missing(v any, e *entry) string {
	if e == nil {
		return "value"
	}
	switch v := v.(type) {
	case map[string]any:
		for k, el := range v {
			if m := missing(el, e.fields[k]); m != "" {
				return k + "." + m
			}
		}
	case []map[string]any:
		for i, el := range v {
			if m := missing(el, e.elem(i)); m != "" {
				return "[]." + m
			}
		}
	case []any:
		for i, el := range v {
			if m := missing(el, e.elem(i)); m != "" {
				return "[]." + m
			}
		}
	}
	return ""
}

func TestScanAgreesWithDecoder(t *testing.T) {
	for _, doc := range seeds {
		check(t, doc)
	}
}

func FuzzTOMLPos(f *testing.F) {
	for _, doc := range seeds {
		f.Add(doc)
	}
	f.Fuzz(check)
}
