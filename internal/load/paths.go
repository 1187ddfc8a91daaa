package load

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Paths reads files and folders. Tables come in the order of the paths and,
// within a folder, of the file names; a file met twice is read once. Patterns
// and definitions that point to other files are resolved.
func Paths(paths []string, o Options) Result {
	w := &walker{index: map[string]int{}, folders: map[string]bool{}}
	for _, p := range paths {
		if p == "-" && o.Stdin != nil {
			w.stdin(o.Stdin)
			continue
		}
		w.add(p)
	}
	l := &loader{options: o, files: make([]loaded, len(w.entries))}
	l.readAll(w.entries)
	l.claimIncluded()
	r := Result{Errors: w.errs}
	for _, f := range l.files {
		r = r.with(f.result)
	}
	r.Errors = append(r.Errors, l.tableless(w)...)
	return l.finish(r)
}

// Bytes reads one input that is not a file on disk, such as standard input.
// The name stands in messages, and definitions are relative to its folder.
func Bytes(name string, data []byte, o Options) Result {
	l := &loader{options: o}
	in := input{file: source.NewFile(name, data), named: true}
	if len(data) > MaxFileSize {
		return in.tooLarge()
	}
	r := in.read(o)
	if len(r.Tables)+len(r.Patterns)+len(r.Errors) == 0 {
		return in.fail("the file describes no DynamoDB table")
	}
	return l.finish(r)
}

// loaded is one file with what it gave.
type loaded struct {
	entry   entry
	result  Result
	claimed []*table.Table // tables of another file, which includes this one
}

// loader reads files into indexed slots, so that the order of the result does
// not depend on which file is ready first.
type loader struct {
	options Options
	files   []loaded
}

func (l *loader) readAll(entries []entry) {
	var g errgroup.Group
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i, e := range entries {
		g.Go(func() error {
			l.files[i] = loaded{entry: e, result: e.read(l.options)}
			return nil
		})
	}
	_ = g.Wait() // a file that fails is a diagnostic in its slot
}

// tableless reports each folder that gave neither a table nor an error and,
// where nothing at all was found, each such file that was named.
func (l *loader) tableless(w *walker) (errs []*source.Diagnostic) {
	given := make(map[string]bool)
	anything := len(w.errs) > 0
	for _, f := range l.files {
		some := len(f.claimed)+len(f.result.Tables)+len(f.result.Patterns)+len(f.result.Errors) > 0
		anything = anything || some
		for _, folder := range f.entry.folders {
			given[folder] = given[folder] || some
		}
	}
	for _, folder := range w.roots {
		if !given[folder] && !w.failed[folder] {
			errs = append(errs, source.Errorf(source.Span{File: source.NewFile(folder, nil)},
				"no table was found in the folder, expected %s", formats))
		}
	}
	for _, f := range l.files {
		if f.entry.named && !anything {
			errs = append(errs, source.Errorf(input{file: source.NewFile(f.entry.path, nil)}.start(),
				"the file describes no DynamoDB table"))
		}
	}
	return errs
}

// entry is a file to be read.
type entry struct {
	path    string
	named   bool
	folders []string // the given folders it was met in
	stdin   *source.File
}

// read reads and loads one file.
func (e entry) read(o Options) Result {
	in := input{file: source.NewFile(e.path, nil), named: e.named}
	if e.stdin != nil {
		in.file = e.stdin
		if len(e.stdin.Data) > MaxFileSize {
			return in.tooLarge()
		}
		return in.read(o)
	}
	data, whole, err := readFile(e.path)
	if err != nil {
		return Result{Errors: []*source.Diagnostic{source.Errorf(source.Span{File: in.file}, "cannot be read: %s", reason(err))}}
	}
	in.file = source.NewFile(e.path, data)
	if !whole {
		if e.named || hasTableMark(data) || isDesign(e.path, data) {
			return in.tooLarge()
		}
		return Result{}
	}
	return in.read(o)
}

// tooLarge does not keep the data, of which only the beginning was read.
func (in input) tooLarge() Result {
	in.file = source.NewFile(in.file.Name, nil)
	return in.fail("the file is larger than %d MB, the most that is read", MaxFileSize>>20)
}

// readFile reads a file, a pipe included. Of one that is larger than
// MaxFileSize it returns the beginning.
func readFile(path string) (data []byte, whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	limit := int64(MaxFileSize)
	if info, err := f.Stat(); err == nil && info.Size() > limit {
		limit = 1 << 20
	}
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	return data, int64(len(data)) <= limit, err
}

// reason is an error of the file system without the path, which the message
// has already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// readable are the extensions under which the formats are kept. In a folder
// only these are opened; a file that is named is read whatever its name.
var readable = map[string]bool{
	".json": true, ".yaml": true, ".yml": true, ".toml": true, ".template": true, ".cfn": true, ".tf": true,
}

// walker collects the files of paths, each once.
type walker struct {
	entries []entry
	index   map[string]int  // by resolved path
	folders map[string]bool // resolved paths, of the walk that goes on
	roots   []string
	failed  map[string]bool // roots of which a part could not be read
	errs    []*source.Diagnostic
}

func (w *walker) add(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		w.errs = append(w.errs, source.Errorf(source.Span{File: source.NewFile(path, nil)}, "cannot be read: %s", reason(err)))
	case info.IsDir():
		w.roots = append(w.roots, path)
		clear(w.folders)
		w.walk(path, path)
	default:
		w.file(path, "")
	}
}

// stdin adds standard input once.
func (w *walker) stdin(f *source.File) {
	if _, seen := w.index["-"]; !seen {
		w.index["-"] = len(w.entries)
		w.entries = append(w.entries, entry{path: f.Name, named: true, stdin: f})
	}
}

// file adds one file; root is the folder it was met in, or "" when named.
func (w *walker) file(path, root string) {
	resolved := realPath(path)
	i, seen := w.index[resolved]
	if !seen {
		i = len(w.entries)
		w.index[resolved] = i
		w.entries = append(w.entries, entry{path: path})
	}
	if e := &w.entries[i]; root == "" {
		e.named = true
	} else {
		e.folders = append(e.folders, root)
	}
}

// walk adds the files under a folder in order of name. Links are followed, but
// no folder is entered twice, so a loop of links ends.
func (w *walker) walk(dir, root string) {
	resolved := realPath(dir)
	if w.folders[resolved] {
		return
	}
	w.folders[resolved] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		if w.failed == nil {
			w.failed = map[string]bool{}
		}
		w.failed[root] = true
		w.errs = append(w.errs, source.Errorf(source.Span{File: source.NewFile(dir, nil)}, "the folder cannot be read: %s", reason(err)))
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil: // a link to nothing
		case info.IsDir() && !skipFolder(e.Name()):
			w.walk(path, root)
		case info.Mode().IsRegular() && readable[strings.ToLower(filepath.Ext(path))]:
			w.file(path, root)
		}
	}
}

// skipFolder tells folders of tools and dependencies, which hold copies.
func skipFolder(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules"
}

// realPath identifies a file or folder whatever way leads to it.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		path = p
	}
	if p, err := filepath.Abs(path); err == nil {
		path = p
	}
	return filepath.Clean(path)
}
