package load

import (
	"bytes"
	"slices"
)

// rowReader cuts CSV into rows. Unlike encoding/csv it keeps a row to its
// line, so that one quote that is not closed costs one row and not the rest of
// the file, and it allocates nothing for a row.
type rowReader struct {
	data   []byte
	off    int
	line   int // of the next row
	start  int // line of this row
	fields [][]byte
	raw    []byte // identifies the second to fifth column
	fault  string // why the row has no fields
	buf    []byte // of unquoted fields
}

// next moves to the next row that is not blank. What it sets is valid until
// the next call.
func (r *rowReader) next() bool {
	for r.off < len(r.data) {
		line := r.data[r.off:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
			r.off++
		}
		r.off += len(line)
		r.start = r.line
		r.line++
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			continue
		}
		r.fault = ""
		if bytes.IndexByte(line, '"') < 0 {
			r.split(line)
		} else {
			r.splitQuoted(line)
		}
		return true
	}
	return false
}

func (r *rowReader) split(line []byte) {
	r.fields = r.fields[:0]
	from, second, fifth := 0, 0, 0
	for {
		i := bytes.IndexByte(line[from:], ',')
		if i < 0 {
			break
		}
		r.fields = append(r.fields, line[from:from+i])
		switch from += i + 1; len(r.fields) {
		case 1:
			second = from
		case 5:
			fifth = from - 1
		}
	}
	r.fields = append(r.fields, line[from:])
	r.raw = line[second:max(second, fifth)]
}

// splitQuoted cuts a line in which a column stands in quotes. Its raw columns
// begin with a quote, which those of other lines never hold.
func (r *rowReader) splitQuoted(line []byte) {
	r.fields, r.raw = r.fields[:0], nil
	// Each column is unquoted into buf, twice: once as it is and once for raw.
	r.buf = slices.Grow(r.buf[:0], 2*len(line)+8)
	for {
		from := len(r.buf)
		if len(line) == 0 || line[0] != '"' {
			i := bytes.IndexByte(line, ',')
			cell := line
			if i >= 0 {
				cell = line[:i]
			}
			if bytes.IndexByte(cell, '"') >= 0 {
				r.fault = "a quote stands inside a column that does not begin with one"
				return
			}
			r.buf, line = append(r.buf, cell...), line[len(cell):]
		} else if line = r.unquote(line[1:]); r.fault != "" {
			return
		}
		r.fields = append(r.fields, r.buf[from:len(r.buf):len(r.buf)])
		if len(line) == 0 {
			break
		}
		line = line[1:] // the comma
	}
	from := len(r.buf)
	for _, f := range r.fields[min(1, len(r.fields)):min(5, len(r.fields))] {
		r.buf = append(append(r.buf, '"'), f...)
	}
	r.raw = r.buf[from:]
}

// unquote appends a quoted column to buf and returns what follows it.
func (r *rowReader) unquote(line []byte) []byte {
	for {
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			r.fault = "a quote is not closed on its line"
			return nil
		}
		r.buf, line = append(r.buf, line[:i]...), line[i+1:]
		if len(line) == 0 || line[0] == ',' {
			return line
		}
		if line[0] != '"' {
			r.fault = "a closing quote is not followed by a comma"
			return nil
		}
		r.buf, line = append(r.buf, '"'), line[1:]
	}
}
