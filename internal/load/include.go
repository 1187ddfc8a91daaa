package load

import (
	"io/fs"
	"os"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// maxInclude is the largest file that another one may include, in bytes.
const maxInclude = 8 << 20

// readInclude reads a file that another one includes. Only regular files are:
// reading a pipe or a device may never end.
func readInclude(path string) (*source.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	case info.Size() > maxInclude:
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	data, _, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return source.NewFile(path, data), nil
}

// fileError is why a file is not read.
type fileError string

func (e fileError) Error() string { return string(e) }

const (
	errNotRegular = fileError("it is not a regular file")
	errTooLarge   = fileError("it is larger than 8 MB, the most that is included")
)

// place identifies where a table stands, whatever way its file was reached.
type place struct {
	file string
	pos  source.Pos
}

// claimIncluded gives files whose resources are included by another file the
// tables that were read there: read on their own, they lack what the including
// file says, and each table would be there twice. A file whose tables are not
// all included keeps what it gave.
func (l *loader) claimIncluded() {
	owned := map[place]*table.Table{}
	paths := map[string]string{}
	real := func(name string) string {
		if _, done := paths[name]; !done {
			paths[name] = realPath(name)
		}
		return paths[name]
	}
	included := map[string]bool{}
	for _, f := range l.files {
		for _, in := range f.result.included {
			included[real(in.Name)] = true
		}
		if len(f.result.included) == 0 {
			continue
		}
		for _, t := range f.result.Tables {
			if t.At.File != nil {
				owned[place{real(t.At.File.Name), t.At.Start}] = t
			}
		}
	}
	for i := range l.files {
		f := &l.files[i]
		path := real(f.entry.path)
		if !included[path] || len(f.result.included) > 0 {
			continue
		}
		claimed := make([]*table.Table, 0, len(f.result.Tables))
		for _, t := range f.result.Tables {
			if o := owned[place{path, t.At.Start}]; o != nil {
				claimed = append(claimed, o)
			}
		}
		if len(claimed) == len(f.result.Tables) {
			f.result.Tables, f.claimed = claimed, true
		}
	}
}
