// Package tomlpos reads a TOML document into a node tree in which every key
// and every value has its place. BurntSushi/toml decides what is valid and
// what a value is; the package's own scanner only finds where things stand,
// and is tested against the decoder's list of keys. It knows no design file.
package tomlpos

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// Datetime is the tag of a TOML date or time, whose Kind is String.
const Datetime = "!datetime"

// Parse reads a document. The root is a Map. A number's Text is its decimal
// form without underscores. The place of a table is the header or key that
// made it, or its braces. A byte order mark is left out of the file that the
// spans name, so that columns are those an editor shows.
func Parse(f *source.File) (*node.Node, *source.Diagnostic) {
	if bytes.HasPrefix(f.Data, []byte("\xff\xfe")) || bytes.HasPrefix(f.Data, []byte("\xfe\xff")) {
		return nil, source.Errorf(source.Span{File: f, Start: source.Pos{Line: 1, Col: 1}},
			"the file is UTF-16, and a TOML file must be UTF-8")
	}
	text := string(f.Data) // the decoder passes over one mark itself
	if rest, ok := bytes.CutPrefix(f.Data, []byte("\xef\xbb\xbf")); ok {
		f = source.NewFile(f.Name, rest)
	}
	b := builder{f}
	sc := scan(string(f.Data))
	if sc.deep >= 0 {
		return nil, source.Errorf(b.span(place{sc.deep, sc.deep}), "nested deeper than %d levels", maxDepth)
	}
	doc, err := decode(text)
	if err != nil {
		return nil, b.syntax(err)
	}
	return b.node(doc, sc.root, source.Span{}), nil
}

// decode turns a panic of the decoder into an error: whatever the input, the
// other files must still be read.
func decode(text string) (doc map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the TOML decoder failed: %v", r)
		}
	}()
	_, err = toml.Decode(text, &doc)
	return doc, err
}

type builder struct{ file *source.File }

func (b builder) span(p place) source.Span {
	return source.Span{File: b.file, Start: b.pos(p.start), End: b.pos(p.end)}
}

// pos moves an offset inside a character, as the decoder's errors may have, to
// the character's start.
func (b builder) pos(offset int) source.Pos {
	offset = max(0, min(offset, len(b.file.Data)))
	for offset > 0 && offset < len(b.file.Data) && !utf8.RuneStart(b.file.Data[offset]) {
		offset--
	}
	return b.file.PosAt(offset)
}

// syntax is the diagnostic of a document that the decoder refuses.
func (b builder) syntax(err error) *source.Diagnostic {
	at := place{}
	message := err.Error()
	var pe toml.ParseError
	if errors.As(err, &pe) {
		at = place{pe.Position.Start, pe.Position.Start + pe.Position.Len}
		message = pe.Message
	}
	message = strings.TrimRight(strings.TrimSpace(message), ".")
	if r, n := utf8.DecodeRuneInString(message); n > 0 && !strings.HasPrefix(message, "TOML") {
		message = string(unicode.ToLower(r)) + message[n:]
	}
	return source.Errorf(b.span(at), "not valid TOML: %s", message)
}

// node joins a decoded value with its place. Where the scanner has none, which
// no accepted document is known to bring about, the enclosing place serves.
func (b builder) node(v any, e *entry, outer source.Span) *node.Node {
	at := outer
	if e == nil {
		e = &entry{}
	} else {
		at = b.span(e.at)
	}
	n := &node.Node{At: at}
	switch v := v.(type) {
	case map[string]any:
		b.table(n, v, e)
	case []map[string]any:
		n.Kind = node.Seq
		for i, el := range v {
			n.Items = append(n.Items, b.node(el, e.elem(i), at))
		}
	case []any:
		n.Kind = node.Seq
		for i, el := range v {
			n.Items = append(n.Items, b.node(el, e.elem(i), at))
		}
	case string:
		n.Kind, n.Text = node.String, v
	case int64:
		n.Kind, n.Text = node.Number, strconv.FormatInt(v, 10)
	case float64:
		n.Kind, n.Text = node.Number, strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		n.Kind, n.Text = node.Bool, strconv.FormatBool(v)
	case time.Time:
		n.Kind, n.Tag, n.Text = node.String, Datetime, v.Format(time.RFC3339Nano)
	}
	return n
}

func (b builder) table(n *node.Node, v map[string]any, e *entry) {
	n.Kind = node.Map
	names := slices.Clone(e.names)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if e.fields[name] == nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		el, ok := v[name]
		if !ok {
			continue
		}
		key := &node.Node{Kind: node.String, Text: name, At: n.At}
		f := e.fields[name]
		if f != nil {
			key.At = b.span(f.key)
		}
		n.Pairs = append(n.Pairs, node.Pair{Key: key, Value: b.node(el, f, n.At)})
	}
}

func (e *entry) elem(i int) *entry {
	if i < len(e.elems) {
		return e.elems[i]
	}
	return nil
}
