package node

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ddbvet/internal/source"
)

// outline writes a tree with kinds, tags, texts and places.
func outline(n *Node) string {
	at := fmt.Sprintf("@%d:%d", n.At.Start.Line, n.At.Start.Col)
	tag := n.Tag
	if tag != "" {
		tag += " "
	}
	var parts []string
	switch n.Kind {
	case Seq:
		for _, it := range n.Items {
			parts = append(parts, outline(it))
		}
		return tag + "[" + strings.Join(parts, " ") + "]" + at
	case Map:
		for _, p := range n.Pairs {
			parts = append(parts, outline(p.Key)+"="+outline(p.Value))
		}
		return tag + "{" + strings.Join(parts, " ") + "}" + at
	}
	return fmt.Sprintf("%s%s(%s)%s", tag, n.Kind, n.Text, at)
}

func TestParseYAML(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"scalars stay as written", "a: 012\nb: \"012\"\nc: 5.0\nd: True\ne: ~\nf: 2020-01-01\ng: yes\n", []string{
			"{text(a)@1:1=number(012)@1:4 text(b)@2:1=text(012)@2:4 text(c)@3:1=number(5.0)@3:4 text(d)@4:1=boolean(True)@4:4 " +
				"text(e)@5:1=null(~)@5:4 text(f)@6:1=text(2020-01-01)@6:4 text(g)@7:1=text(yes)@7:4}@1:1",
		}},
		{"columns count characters", "é: [ü, !Ref x]\n", []string{"{text(é)@1:1=[text(ü)@1:5 !Ref text(x)@1:8]@1:4}@1:1"}},
		{"local tags", "a: !Sub |\n  x\nb: !If [c, d]\nc: !GetAtt {x: y}\nd: !!str 5\ne: ! z\n", []string{
			"{text(a)@1:1=!Sub text(x\n)@1:4 text(b)@3:1=!If [text(c)@3:9 text(d)@3:12]@3:4 " +
				"text(c)@4:1=!GetAtt {text(x)@4:13=text(y)@4:16}@4:4 text(d)@5:1=text(5)@5:4 text(e)@6:1=text(z)@6:4}@1:1",
		}},
		{"every document", "a: 1\n---\n---\n[b]\n...\n", []string{"{text(a)@1:1=number(1)@1:4}@1:1", "[text(b)@4:2]@4:1"}},
		{"byte order mark", "\xef\xbb\xbfa: 1\n", []string{"{text(a)@1:1=number(1)@1:4}@1:1"}},
		{"carriage returns", "a: 1\r\nb: 2\r\n", []string{"{text(a)@1:1=number(1)@1:4 text(b)@2:1=number(2)@2:4}@1:1"}},
		{"a line end that editors do not count", "a: \"x\u2028y\"\nb: 1\n", []string{
			"{text(a)@1:1=text(x\u2028y)@1:4 text(b)@2:1=number(1)@2:4}@1:1",
		}},
		{"alias", "a: &x [1]\nb: *x\n", []string{"{text(a)@1:1=[number(1)@1:8]@1:4 text(b)@2:1=[number(1)@1:8]@1:4}@1:1"}},
		{"merge keys", "a: &x {p: 1, q: 2}\nb: &y {q: 3, r: 4}\nc:\n  <<: [*x, *y]\n  p: 9\n", []string{
			"{text(a)@1:1={text(p)@1:8=number(1)@1:11 text(q)@1:14=number(2)@1:17}@1:4 " +
				"text(b)@2:1={text(q)@2:8=number(3)@2:11 text(r)@2:14=number(4)@2:17}@2:4 " +
				"text(c)@3:1={text(q)@1:14=number(2)@1:17 text(r)@2:14=number(4)@2:17 text(p)@5:3=number(9)@5:6}@4:3}@1:1",
		}},
		{"a quoted merge key is none", "\"<<\": {a: 1}\n", []string{"{text(<<)@1:1={text(a)@1:8=number(1)@1:11}@1:7}@1:1"}},
		{"JSON", `{"a": ["\u00e9", -1.5e3, null, true]}`, []string{
			"{text(a)@1:2=[text(é)@1:8 number(-1.5e3)@1:18 null(null)@1:26 boolean(true)@1:32]@1:7}@1:1",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs, d := ParseYAML(source.NewFile("t.yaml", []byte(tt.text)))
			if d != nil {
				t.Fatal(d)
			}
			var got []string
			for _, doc := range docs {
				got = append(got, outline(doc))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseYAMLFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "t.yaml:1:1: empty file, expected a YAML document"},
		{"comment only", "# nothing\n", "t.yaml:1:1: empty file, expected a YAML document"},
		{"empty documents", "---\n---\n", "t.yaml:1:1: empty file, expected a YAML document"},
		{"duplicate key", "a: 1\nb: 2\n\"a\": 3\n", `t.yaml:3:1: key "a" is given twice, on line 1 and on line 3`},
		{"cycle", "a: &x\n  b: [*x]\n", "t.yaml:2:7: alias *x stands inside its own anchor"},
		{"unknown alias", "a: *x\n", "t.yaml:1:4: not valid YAML: unknown anchor 'x' referenced"},
		{"map as key", "{{a}}: b\n", "t.yaml:1:2: found a map as a map key, expected text"},
		{"merge of text", "<<: x\n", "t.yaml:1:5: found a text after <<, expected a map or a list of maps"},
		{"tab", "a:\n\t- b\n", "t.yaml:2:1: not valid YAML: found a tab, expected spaces for indentation"},
		{"open quote", "a: 'x\n", "t.yaml:2:1: not valid YAML: found unexpected end of stream (while scanning a quoted scalar that begins on line 1)"},
		{"colon in text", "a: b: c\n", "t.yaml:1:5: not valid YAML: mapping values are not allowed in this context"},
		{"not UTF-8", "a: é\nb: \xff\n", "t.yaml:2:4: not valid YAML: invalid leading UTF-8 octet (value: 255)"},
		{"control character", "a: b\nc: \x01\n", "t.yaml:2:4: not valid YAML: control characters are not allowed (value: 1)"},
		{"UTF-16", "\xff\xfea\x00:\x00", "t.yaml:1:1: the file is UTF-16 (little-endian), expected UTF-8"},
		{"second document", "a: 1\n---\nb: [\n", "t.yaml:4:1: not valid YAML: did not find expected node content"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs, d := ParseYAML(source.NewFile("t.yaml", []byte(tt.text)))
			if d == nil || docs != nil || d.Error() != tt.want {
				t.Errorf("got %v, want %s", d, tt.want)
			}
		})
	}
}

// Files that unfold or nest without bound end in one diagnostic, quickly.
func TestParseYAMLBounds(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	merges := "m0: &m0 {k0: 1}\n"
	for i := 1; i < 40; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
		merges += fmt.Sprintf("m%d: &m%d {<<: [*m%d, *m%d], k%d: 1}\n", i, i, i-1, i-1, i)
	}
	chain := "c0: &c0 [x]\n"
	for i := 1; i < 600; i++ {
		chain += fmt.Sprintf("c%d: &c%d [*c%d]\n", i, i, i-1)
	}
	indent := ""
	for i := range 600 {
		indent += strings.Repeat(" ", i) + "a:\n"
	}
	for _, tt := range []struct{ name, text, want string }{
		{"alias bomb", bomb, "aliases unfold to more than 200000 nodes"},
		{"merge bomb", merges, "aliases unfold to more than 200000 nodes"},
		{"alias chain", chain, "nested more than 500 levels deep"},
		{"flow", strings.Repeat("[", 5000), "nested more than 500 levels deep"},
		{"flow of one line", strings.Repeat("[", 501) + strings.Repeat("]", 501), "nested more than 500 levels deep"},
		{"block", indent, "nested more than 500 levels deep"},
		{"mixed", strings.Repeat("- ", 400) + strings.Repeat("[", 200) + strings.Repeat("]", 200), "nested more than 500 levels deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			begin := time.Now()
			_, d := ParseYAML(source.NewFile("t.yaml", []byte(tt.text)))
			if d == nil || !strings.HasSuffix(d.Message, tt.want) || !d.At.Known() {
				t.Errorf("got %.200v, want %s", d, tt.want)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	if _, d := ParseYAML(source.NewFile("t.yaml", []byte(strings.Repeat("[", 500)+strings.Repeat("]", 500)))); d != nil {
		t.Errorf("500 levels are refused: %v", d)
	}
}

// FuzzYAML holds that no input makes the parser panic, that every node has a
// place inside the file, and that a fault has one too.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"a: &x [1, *x]\n", "a: !Ref b\n---\n<<: {c: d}\n", "? [a]\n: b\n", "a: |\n  x\r\n\ty\n", "\xef\xbb\xbf{\"a\": \"\\u00e9\"}",
		"%YAML 1.1\n---\na: 012\n", "a: 'x\n\u2028b: 2\rc: \u0085d", "- - - a\n# c\n", "a: *b\n", "!!int abc",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("t.yaml", data)
		docs, d := ParseYAML(file)
		if d != nil {
			if !d.At.Known() || docs != nil {
				t.Errorf("a fault without a place or beside documents: %v", d)
			}
			return
		}
		end := file.PosAt(len(data))
		seen := map[*Node]bool{}
		var walk func(*Node)
		walk = func(n *Node) {
			if seen[n] {
				return
			}
			seen[n] = true
			if !n.At.Known() || end.Before(n.At.Start) {
				t.Errorf("%s %q is at %s, and the file ends at %v", n.Kind, n.Text, n.At, end)
			}
			keys := map[string]bool{}
			for _, p := range n.Pairs {
				if keys[p.Key.Text] {
					t.Errorf("key %q is given twice", p.Key.Text)
				}
				keys[p.Key.Text] = true
				walk(p.Key)
				walk(p.Value)
			}
			for _, it := range n.Items {
				walk(it)
			}
		}
		for _, doc := range docs {
			walk(doc)
		}
	})
}
