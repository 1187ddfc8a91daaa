package node

import (
	"errors"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"

	"ddbvet/internal/source"
)

// span is the place of a node, tag and anchor included.
func (c *yamlConverter) span(y *yaml.Node) source.Span {
	return source.Span{File: c.file, Start: c.pos(y.Line, y.Column)}
}

// pos turns a place of the library into one of the file. The library places
// what an unfinished last line leaves out on a line that does not exist.
func (c *yamlConverter) pos(line, col int) source.Pos {
	p := source.Pos{Line: line, Col: col}
	if c.lines != nil && line >= 1 && line <= len(c.lines) {
		p = c.file.PosAt(c.lines[line-1])
		p.Col += col - 1
	}
	if c.end.Before(p) {
		return c.end
	}
	return p
}

// yamlLines returns the offsets at which YAML's lines begin, or nil where they
// are the file's own. YAML also ends a line at a lone carriage return and at
// three Unicode separators, which editors do not count.
func yamlLines(data []byte) []int {
	starts, odd := []int{0}, false
	for i := 0; i < len(data); i++ {
		n := 0
		switch data[i] {
		case '\n':
			n = 1
		case '\r':
			n = 1
			if i+1 < len(data) && data[i+1] == '\n' {
				n = 2
			}
			odd = odd || n == 1
		case 0xc2:
			if i+1 < len(data) && data[i+1] == 0x85 {
				n, odd = 2, true
			}
		case 0xe2:
			if i+2 < len(data) && data[i+1] == 0x80 && (data[i+2] == 0xa8 || data[i+2] == 0xa9) {
				n, odd = 3, true
			}
		}
		if n > 0 {
			starts = append(starts, i+n)
			i += n - 1
		}
	}
	if !odd {
		return nil
	}
	return starts
}

// syntaxFault turns the library's error into a diagnostic at its place.
func (c *yamlConverter) syntaxFault(err error) *source.Diagnostic {
	var le *yaml.LoadError
	if !errors.As(err, &le) {
		return source.Errorf(startOf(c.file), "not valid YAML: %v", err)
	}
	at := startOf(c.file)
	switch {
	case le.Mark.Line > 0:
		at.Start = c.pos(le.Mark.Line, le.Mark.Column)
	case le.ContextMark.Line > 0:
		at.Start = c.pos(le.ContextMark.Line, le.ContextMark.Column)
	default:
		at.Start = c.file.PosAt(badByte(c.file.Data))
	}
	msg := le.Message
	switch {
	case strings.Contains(msg, "exceeded max depth"):
		return source.Errorf(at, "nested more than %d levels deep", maxYAMLDepth)
	case strings.Contains(msg, "cannot start any token") && c.tabAt(at.Start):
		msg = "found a tab, expected spaces for indentation"
	case le.ContextMark.Line > 0 && le.ContextMark != le.Mark:
		return source.Errorf(at, "not valid YAML: %s (%s that begins on line %d)",
			msg, le.ContextMsg, c.pos(le.ContextMark.Line, le.ContextMark.Column).Line)
	}
	return source.Errorf(at, "not valid YAML: %s", msg)
}

func (c *yamlConverter) tabAt(p source.Pos) bool {
	line := []rune(c.file.Line(p.Line))
	return p.Col <= len(line) && line[p.Col-1] == '\t'
}

// badByte is the offset of the first byte that YAML text cannot hold.
func badByte(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1,
			r < ' ' && r != '\t' && r != '\n' && r != '\r',
			r == 0x7f, r > 0x7f && r < 0xa0 && r != 0x85,
			r == 0xfffe, r == 0xffff:
			return i
		}
		i += n
	}
	return 0
}
