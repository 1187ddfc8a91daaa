package tomlpos_test

import (
	"fmt"
	"strings"
	"testing"

	"ddbvet/internal/load/node"
	"ddbvet/internal/load/tomlpos"
	"ddbvet/internal/source"
)

// walk prints every key and scalar with its place, counted by hand below.
func walk(n *node.Node, path string, out *[]string) {
	span := fmt.Sprintf("%d:%d-%d:%d", n.At.Start.Line, n.At.Start.Col, n.At.End.Line, n.At.End.Col)
	*out = append(*out, fmt.Sprintf("%s %s %s", path, n.Text, span))
	for i, el := range n.Items {
		walk(el, fmt.Sprintf("%s[%d]", path, i), out)
	}
	for _, p := range n.Pairs {
		walk(p.Value, fmt.Sprintf("%s.%s@%d:%d", path, p.Key.Text, p.Key.At.Start.Line, p.Key.At.Start.Col), out)
	}
}

func TestPlacesCountCharacters(t *testing.T) {
	root, bad := tomlpos.Parse(source.NewFile("x", []byte("\ufeffé = 1\n")))
	if bad == nil || bad.At.String() != "x:1:1" {
		t.Fatalf("a bare key é: %v, %v", root, bad)
	}
	root, bad = tomlpos.Parse(source.NewFile("x", []byte("\ufeff'é' = { \"日本\" = \"ü]}#\", n = 1_0 } # 'q\r\n[[t]]\r\n  a.b = '''x\r\ny''' \r\n")))
	if bad != nil {
		t.Fatal(bad)
	}
	var got []string
	walk(root, "", &got)
	want := []string{
		"  1:1-5:1",
		".é@1:1  1:7-1:33",
		".é@1:1.日本@1:9 ü]}# 1:16-1:22",
		".é@1:1.n@1:24 10 1:28-1:31",
		".t@2:3  2:1-2:6",
		".t@2:3[0]  2:1-2:6",
		".t@2:3[0].a@3:3  3:3-3:4",
		".t@2:3[0].a@3:3.b@3:5 x\r\ny 3:9-4:5",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestRefused(t *testing.T) {
	for doc, want := range map[string]string{
		"\xff\xfea\x00":                         "x:1:1: the file is UTF-16, and a TOML file must be UTF-8",
		"a = \xe3":                              "x:1:5: not valid TOML: invalid UTF-8 byte: 0xe3",
		"a = " + strings.Repeat("[", 5_000_000): "x:1:69: nested deeper than 64 levels",
		strings.Repeat("a.", 500_000) + "b = 1": "x:1:130: nested deeper than 64 levels",
	} {
		if _, bad := tomlpos.Parse(source.NewFile("x", []byte(doc))); bad == nil || bad.Error() != want {
			t.Errorf("%.20q: got %v, want %s", doc, bad, want)
		}
	}
}
