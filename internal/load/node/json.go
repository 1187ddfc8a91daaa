package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"ddbvet/internal/source"
)

// MaxDepth is the deepest nesting of maps and lists that is read. Real
// templates stay under 30; the bound keeps a hostile file off the stack.
const MaxDepth = 1000

var utf8BOM = []byte("\xef\xbb\xbf")

// ParseJSON reads one JSON document. Every node and key has its span. It
// accepts what encoding/json accepts, and a byte order mark, but refuses a key
// that is given twice and nesting deeper than MaxDepth.
func ParseJSON(f *source.File) (*Node, *source.Diagnostic) {
	if name := UTF16(f.Data); name != "" {
		return nil, source.Errorf(source.Span{File: f, Start: source.Pos{Line: 1, Col: 1}},
			"the file is %s, expected UTF-8", name)
	}
	body := bytes.TrimPrefix(f.Data, utf8BOM)
	p := &jsonParser{
		file: f, data: body, dec: json.NewDecoder(bytes.NewReader(body)),
		pos: source.Pos{Line: 1, Col: 1},
	}
	p.dec.UseNumber()
	n, d := p.value(0, "a JSON value")
	if d != nil {
		return nil, d
	}
	end := p.skipSpace(int(p.dec.InputOffset()))
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, p.at(end, fmt.Sprintf("found %s, expected the end of the file", p.found(end)))
	}
	return n, nil
}

// UTF16 names the encoding of a file that is UTF-16, as PowerShell's
// redirection writes it, by its byte order mark or by NUL bytes beside the
// first character; else it is "".
func UTF16(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	switch a, b := data[0], data[1]; {
	case a == 0xff && b == 0xfe, a != 0 && b == 0 && (len(data) < 4 || data[3] == 0):
		return "UTF-16 (little-endian)"
	case a == 0xfe && b == 0xff, a == 0 && b != 0:
		return "UTF-16 (big-endian)"
	}
	return ""
}

// jsonParser follows the decoder's tokens. Tokens come in order, so the place
// is advanced with them: looking each one up would be quadratic on one line.
type jsonParser struct {
	file *source.File
	data []byte
	dec  *json.Decoder
	off  int // offset in data that pos is the place of
	pos  source.Pos

	start int         // offset of the last token
	last  source.Span // and its span
}

// value reads one value; want names what the context expects there.
func (p *jsonParser) value(depth int, want string) (*Node, *source.Diagnostic) {
	tok, at, d := p.next(want)
	if d != nil {
		return nil, d
	}
	n := &Node{At: at}
	switch t := tok.(type) {
	case json.Delim:
		if depth >= MaxDepth {
			return nil, source.Errorf(at, "nesting is deeper than %d levels", MaxDepth)
		}
		if t == '[' {
			n.Kind = Seq
			return n, p.seq(n, depth+1)
		}
		n.Kind = Map
		return n, p.object(n, depth+1)
	case string:
		n.Kind, n.Text = String, t
	case json.Number:
		n.Kind, n.Text = Number, t.String()
	case bool:
		n.Kind, n.Text = Bool, strconv.FormatBool(t)
	case nil:
		n.Kind, n.Text = Null, "null"
	}
	return n, nil
}

func (p *jsonParser) seq(n *Node, depth int) *source.Diagnostic {
	want := "a value or ']'"
	for p.more() {
		item, d := p.value(depth, want)
		if d != nil {
			return d
		}
		n.Items = append(n.Items, item)
		want = "',' or ']'"
	}
	return p.closing(n, want)
}

func (p *jsonParser) object(n *Node, depth int) *source.Diagnostic {
	seen := make(map[string]source.Span)
	want := "a key in double quotes or '}'"
	for p.more() {
		tok, at, d := p.next(want)
		if d != nil {
			return d
		}
		key, ok := tok.(string)
		if !ok {
			return source.Errorf(at, "expected a key in double quotes")
		}
		if first, twice := seen[key]; twice {
			return source.Errorf(at, "key %q is given twice, first at %s", key, first)
		}
		seen[key] = at
		value, d := p.value(depth, "':' and a value")
		if d != nil {
			return d
		}
		n.Pairs = append(n.Pairs, Pair{Key: &Node{Kind: String, Text: key, At: at}, Value: value})
		want = "',' or '}'"
	}
	return p.closing(n, want)
}

// more tells whether the next byte is other than a closing bracket. The
// decoder's own More stops at either bracket, and so does this.
func (p *jsonParser) more() bool {
	i := p.skipSpace(int(p.dec.InputOffset()))
	return i < len(p.data) && p.data[i] != ']' && p.data[i] != '}'
}

func (p *jsonParser) closing(n *Node, want string) *source.Diagnostic {
	_, at, d := p.next(want)
	n.At.End = at.End
	return d
}

// next returns a token and its span.
func (p *jsonParser) next(want string) (json.Token, source.Span, *source.Diagnostic) {
	from := int(p.dec.InputOffset())
	tok, err := p.dec.Token()
	if err != nil {
		return nil, source.Span{}, p.fault(from, want)
	}
	start := p.skipSpace(from)
	if start < len(p.data) && (p.data[start] == ',' || p.data[start] == ':') {
		start = p.skipSpace(start + 1)
	}
	at := source.Span{File: p.file, Start: p.place(start)}
	at.End = p.place(int(p.dec.InputOffset()))
	p.start, p.last = start, at
	return tok, at, nil
}

func (p *jsonParser) skipSpace(i int) int {
	for i < len(p.data) && (p.data[i] == ' ' || p.data[i] == '\t' || p.data[i] == '\r' || p.data[i] == '\n') {
		i++
	}
	return i
}

// place advances to an offset, which is never before the last one asked for.
func (p *jsonParser) place(offset int) source.Pos {
	text := p.data[p.off:offset]
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		p.pos.Line += bytes.Count(text, []byte{'\n'})
		p.pos.Col = 1
		text = text[i+1:]
	}
	p.pos.Col += utf8.RuneCount(text)
	p.off = offset
	return p.pos
}

// fault words a syntax error at the place where it shows: inside the token
// that begins at the next byte, or at that byte when no token can begin there.
func (p *jsonParser) fault(from int, want string) *source.Diagnostic {
	i := p.skipSpace(from)
	if p.last.Known() && i == from && i < len(p.data) && !separator(p.data[i]) && !separator(p.data[p.start]) {
		// The decoder reads 012 as 0 and then stumbles over 12.
		return source.Errorf(p.last, "malformed value %q", p.word(p.start))
	}
	if i < len(p.data) && (p.data[i] == ',' || p.data[i] == ':') {
		switch sep := p.data[i]; {
		case sep == ',' && (want == "',' or ']'"):
			i, want = p.skipSpace(i+1), "a value"
		case sep == ',' && (want == "',' or '}'"):
			i, want = p.skipSpace(i+1), "a key in double quotes"
		case sep == ':' && want == "':' and a value":
			i, want = p.skipSpace(i+1), "a value"
		}
	}
	if inner := p.tokenFault(i); inner != "" {
		return p.at(i, inner)
	}
	if i >= len(p.data) {
		return p.at(len(p.data), "the file ends here, expected "+want)
	}
	return p.at(i, fmt.Sprintf("found %s, expected %s", p.found(i), want))
}

func (p *jsonParser) at(i int, message string) *source.Diagnostic {
	return source.Errorf(source.Span{File: p.file, Start: p.place(i)}, "%s", message)
}
