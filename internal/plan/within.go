package plan

import (
	"strings"
	"unicode/utf8"

	"ddbvet/internal/source"
)

// within is the place of a stretch (byte offsets) of a string value. Where the
// value stands on one line as a quoted string without escapes, or bare, the
// stretch is found; else the place is the value's own.
func within(v source.Value[string], start, end int) source.Span {
	text, ok := v.Get()
	at := v.At
	if !ok || !at.Known() || start < 0 || end > len(text) || start > end {
		return at
	}
	line := []rune(at.File.Line(at.Start.Line))
	if at.Start.Col > len(line) {
		return at
	}
	rest, col := string(line[at.Start.Col-1:]), at.Start.Col
	switch q := rest[0]; {
	case (q == '"' || q == '\'') && strings.HasPrefix(rest[1:], text+string(q)):
		col++
	case q != '"' && q != '\'' && strings.HasPrefix(rest, text):
	default:
		return at
	}
	place := func(offset int) source.Pos {
		return source.Pos{Line: at.Start.Line, Col: col + utf8.RuneCountInString(text[:offset])}
	}
	return source.Span{File: at.File, Start: place(start), End: place(end)}
}
