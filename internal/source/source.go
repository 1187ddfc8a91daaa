// Package source says where a fact was read and whether it is known.
//
// It knows files, positions and the Value type that every other layer uses to
// carry a fact together with its place. It knows nothing of DynamoDB.
package source

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// File is an input as it was read. The zero File has no text.
type File struct {
	Name string
	Data []byte
	bols []int // offset of each line's first byte
}

// NewFile indexes the lines of data, which is kept and not copied.
func NewFile(name string, data []byte) *File {
	f := &File{Name: name, Data: data, bols: []int{0}}
	for off := 0; ; {
		i := bytes.IndexByte(data[off:], '\n')
		if i < 0 {
			return f
		}
		off += i + 1
		f.bols = append(f.bols, off)
	}
}

// Pos is a place in a file. Line and Col count from 1; Col counts characters,
// not bytes. The zero Pos is "place not known".
type Pos struct{ Line, Col int }

// Known tells whether p names a place.
func (p Pos) Known() bool { return p.Line > 0 }

// Before tells whether p stands before q.
func (p Pos) Before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// PosAt returns the place of a byte offset; an offset outside the file is
// moved to its nearest end.
func (f *File) PosAt(offset int) Pos {
	offset = max(0, min(offset, len(f.Data)))
	lo, hi := 0, len(f.bols)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.bols[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return Pos{lo + 1, utf8.RuneCount(f.Data[f.bols[lo]:offset]) + 1}
}

// Line returns the text of line n (from 1) without its line end, or "".
func (f *File) Line(n int) string {
	if f == nil || n < 1 || n > len(f.bols) {
		return ""
	}
	end := len(f.Data)
	if n < len(f.bols) {
		end = f.bols[n] - 1
	}
	return strings.TrimSuffix(string(f.Data[f.bols[n-1]:end]), "\r")
}

// Span is a stretch of a file. End is exclusive and may be unknown. The zero
// Span is "no place", as for a fact that a format leaves out.
type Span struct {
	File       *File
	Start, End Pos
}

// Known tells whether s names a place in a file.
func (s Span) Known() bool { return s.File != nil && s.Start.Known() }

// String is file:line:col, file alone, or "-".
func (s Span) String() string {
	switch {
	case s.File == nil:
		return "-"
	case !s.Start.Known():
		return s.File.Name
	}
	return fmt.Sprintf("%s:%d:%d", s.File.Name, s.Start.Line, s.Start.Col)
}

// Diagnostic is a message about an input: what is wrong and what was
// expected. Message is lower case and has no trailing period.
type Diagnostic struct {
	At      Span
	Message string
}

// Errorf makes a Diagnostic.
func Errorf(at Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{At: at, Message: fmt.Sprintf(format, args...)}
}

// SortByPlace orders the diagnostics of one file by where they stand; those of
// one place keep their order.
func SortByPlace(list []*Diagnostic) {
	slices.SortStableFunc(list, func(a, b *Diagnostic) int {
		return cmp.Or(cmp.Compare(a.At.Start.Line, b.At.Start.Line), cmp.Compare(a.At.Start.Col, b.At.Start.Col))
	})
}

// Error is the one-line form, file:line:col: message.
func (d *Diagnostic) Error() string { return d.At.String() + ": " + d.Message }
