package load

import (
	"io/fs"
	"os"

	"ddbvet/internal/load/serverless"
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

// owned is a table with the place at which its file, read alone, has it.
type owned struct {
	at    source.Span
	table *table.Table
}

// ownPlaces are the tables of a service that stand in included templates.
func ownPlaces(s serverless.Result) (out []owned) {
	byName := map[string]*table.Table{}
	for _, t := range s.Tables {
		byName[t.LogicalName] = t
	}
	for _, in := range s.Included {
		if t := byName[in.LogicalName]; t != nil {
			out = append(out, owned{in.At, t})
		}
	}
	return out
}

// claimIncluded gives the tables of files that another file includes to that
// file: read on their own, they lack what the including file says, and each
// table would be there twice. A file whose tables are not all included keeps
// the others, and its errors.
func (l *loader) claimIncluded() {
	tables := map[place]*table.Table{}
	including := map[string]bool{}
	for _, f := range l.files {
		for _, file := range f.result.files {
			including[realPath(file.Name)] = true
		}
		for _, o := range f.result.included {
			tables[place{realPath(o.at.File.Name), o.at.Start}] = o.table
		}
	}
	if len(including) == 0 {
		return
	}
	for i := range l.files {
		f := &l.files[i]
		path := realPath(f.entry.path)
		if !including[path] || len(f.result.files) > 0 {
			continue
		}
		var claimed, rest []*table.Table
		for _, t := range f.result.Tables {
			if o := tables[place{path, t.At.Start}]; o != nil {
				claimed = append(claimed, o)
			} else {
				rest = append(rest, t)
			}
		}
		f.result.Tables, f.claimed = rest, claimed
		if len(rest) == 0 {
			f.result.Errors = nil
		}
	}
}
