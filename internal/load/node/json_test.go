package node

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ddbvet/internal/source"
)

func parse(t *testing.T, text string) (*Node, *source.Diagnostic) {
	t.Helper()
	return ParseJSON(source.NewFile("f.json", []byte(text)))
}

// span is the whole span of a node as line:col-line:col.
func span(n *Node) string {
	return fmt.Sprintf("%d:%d-%d:%d", n.At.Start.Line, n.At.Start.Col, n.At.End.Line, n.At.End.Col)
}

func TestParseJSONPlaces(t *testing.T) {
	n, d := parse(t, "{\n  \"é\": [1, -2.50e3 ,true],\r\n\t\"b\" : {\"c\":null,\"d\":\"\\ud83d\\ude00\"}\n}\n")
	if d != nil {
		t.Fatal(d)
	}
	list, b := n.Get("é"), n.Get("b")
	for _, c := range []struct {
		name string
		n    *Node
		kind Kind
		text string
		span string
	}{
		{"document", n, Map, "", "1:1-4:2"},
		{"key é", n.Pairs[0].Key, String, "é", "2:3-2:6"},
		{"list", list, Seq, "", "2:8-2:26"},
		{"one", list.Items[0], Number, "1", "2:9-2:10"},
		{"number as written", list.Items[1], Number, "-2.50e3", "2:12-2:19"},
		{"true", list.Items[2], Bool, "true", "2:21-2:25"},
		{"map", b, Map, "", "3:8-3:37"},
		{"null", b.Get("c"), Null, "null", "3:13-3:17"},
		{"surrogate pair", b.Get("d"), String, "😀", "3:22-3:36"},
	} {
		if c.n.Kind != c.kind || c.n.Text != c.text || span(c.n) != c.span {
			t.Errorf("%s: kind %d text %q at %s, want %d %q %s", c.name, c.n.Kind, c.n.Text, span(c.n), c.kind, c.text, c.span)
		}
	}
}

func TestParseJSONByteOrderMark(t *testing.T) {
	n, d := parse(t, "\xef\xbb\xbf{\"a\":1}")
	if d != nil {
		t.Fatal(d)
	}
	if got := span(n.Get("a")); got != "1:6-1:7" {
		t.Errorf("value at %s, want 1:6-1:7: the mark is no column", got)
	}
}

func TestParseJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", " \n", "f.json:2:1: the file ends here, expected a JSON value"},
		{"trailing data", "{}\n x", "f.json:2:2: found \"x\", expected the end of the file"},
		{"second document", "{} {}", "f.json:1:4: found '{', expected the end of the file"},
		{"extra bracket", "[]]", "f.json:1:3: found ']', expected the end of the file"},
		{"missing comma in list", "[1 2]", "f.json:1:4: found \"2\", expected ',' or ']'"},
		{"missing comma in map", "{\"a\":1 \"b\":2}", "f.json:1:8: found a text, expected ',' or '}'"},
		{"trailing comma in list", "[1,\n]", "f.json:2:1: found ']', expected a value"},
		{"trailing comma in map", "{\"a\":1,}", "f.json:1:8: found '}', expected a key in double quotes"},
		{"missing colon", "{\"a\" 1}", "f.json:1:6: found \"1\", expected ':' and a value"},
		{"missing value", "{\"a\":}", "f.json:1:6: found '}', expected a value"},
		{"bare key", "{a:1}", "f.json:1:2: found \"a\", expected a key in double quotes or '}'"},
		{"single quotes", "{'a':1}", "f.json:1:2: found a single quote, expected double quotes around text"},
		{"comment", "{\n// x\n}", "f.json:2:1: found a comment, which JSON does not have"},
		{"number key", "{1:1}", "f.json:1:2: found \"1\", expected a key in double quotes or '}'"},
		{"wrong bracket", "[1}", "f.json:1:3: found '}', expected ',' or ']'"},
		{"wrong bracket at once", "[}", "f.json:1:2: found '}', expected a value or ']'"},
		{"unclosed map", "{\"a\":1\n", "f.json:2:1: the file ends here, expected ',' or '}'"},
		{"unclosed text", "{\"a\": \"x\n}", "f.json:1:7: the text that begins here has no closing quote on its line"},
		{"text to the end", "[\"x", "f.json:1:2: the text that begins here is not closed"},
		{"bad escape", "[\"\\q\"]", "f.json:1:2: malformed escape in the text that begins here"},
		{"tab in text", "[\"a\tb\"]", "f.json:1:2: the text that begins here holds a control character, expected an escape such as \\t"},
		{"leading zero", "[012]", "f.json:1:2: malformed value \"012\""},
		{"word", "[nul]", "f.json:1:2: found \"nul\", expected a value or ']'"},
		{"duplicate", "{\"a\":1,\n \"a\":2}", "f.json:2:2: key \"a\" is given twice, first at f.json:1:2"},
		{"UTF-16 LE", "\xff\xfe{\x00}\x00", "f.json:1:1: the file is UTF-16 (little-endian), expected UTF-8"},
		{"UTF-16 BE without mark", "\x00{\x00}", "f.json:1:1: the file is UTF-16 (big-endian), expected UTF-8"},
	} {
		n, d := parse(t, c.text)
		switch {
		case d == nil:
			t.Errorf("%s: read as %+v, want an error", c.name, n)
		case d.Error() != c.want:
			t.Errorf("%s:\n got %s\nwant %s", c.name, d, c.want)
		}
	}
}

func TestParseJSONDepth(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, d := parse(t, nest(MaxDepth)); d != nil {
		t.Errorf("%d levels: %s", MaxDepth, d)
	}
	if _, d := parse(t, nest(MaxDepth+1)); d == nil || !strings.Contains(d.Message, "deeper than 1000") {
		t.Errorf("%d levels: %v, want an error", MaxDepth+1, d)
	}
}

// FuzzJSON: encoding/json and ParseJSON accept the same texts, apart from what
// ParseJSON refuses on purpose, and agree on what was read.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"Table":{"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}}`,
		"[1,2 ,{\"a\":null}]", "\"\\ud83d\\ude00\"", "[1e5,-0]", "{\"a\":1,}", "[1 2]", "{\"a\" 1}", "nul", "\"a\x80\"", "[,1]", "{,}", "{\"a\",1}", "[:1]", "1 2", "[}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("f.json", data)
		n, d := ParseJSON(file)
		if UTF16(data) != "" || d != nil && (strings.Contains(d.Message, "given twice") || strings.Contains(d.Message, "deeper than")) {
			return
		}
		body := []byte(strings.TrimPrefix(string(data), "\ufeff"))
		if valid := json.Valid(body); valid != (d == nil) {
			t.Fatalf("encoding/json valid=%v, ParseJSON %v: %q", valid, d, data)
		}
		if d != nil {
			if !d.At.Known() {
				t.Fatalf("no place: %s", d)
			}
			return
		}
		var std any
		dec := json.NewDecoder(strings.NewReader(string(body)))
		dec.UseNumber()
		if err := dec.Decode(&std); err != nil {
			t.Fatal(err)
		}
		compare(t, n, std)
	})
}

func compare(t *testing.T, n *Node, std any) {
	t.Helper()
	if !n.At.Start.Before(n.At.End) {
		t.Fatalf("span of %+v is empty", n)
	}
	switch v := std.(type) {
	case map[string]any:
		if n.Kind != Map || len(n.Pairs) != len(v) {
			t.Fatalf("%+v is not the map %v", n, v)
		}
		for _, p := range n.Pairs {
			compare(t, p.Value, v[p.Key.Text])
		}
	case []any:
		if n.Kind != Seq || len(n.Items) != len(v) {
			t.Fatalf("%+v is not the list %v", n, v)
		}
		for i := range v {
			compare(t, n.Items[i], v[i])
		}
	case string:
		compareScalar(t, n, String, v)
	case json.Number:
		compareScalar(t, n, Number, v.String())
	case bool:
		compareScalar(t, n, Bool, strconv.FormatBool(v))
	case nil:
		if n.Kind != Null {
			t.Fatalf("%+v is not null", n)
		}
	}
}

func compareScalar(t *testing.T, n *Node, kind Kind, text string) {
	t.Helper()
	if n.Kind != kind || n.Text != text {
		t.Fatalf("%+v is not %s", n, text)
	}
}
