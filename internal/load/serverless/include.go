package serverless

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// The bounds on included files.
const (
	maxFiles  = 1_000
	maxBytes  = 64 << 20 // of all files together
	maxParent = 8        // folders above the service's that a path may begin at
)

// file is the content of a file, or what stands in it at an address.
func (r *resolver) file(params []string, address string) answer {
	if len(params) == 0 || params[0] == "" {
		return answer{unknown: "file() names no file"}
	}
	a := r.content(params[0])
	if a.node == nil {
		return a
	}
	return r.walk(a.node, splitAddress(address), "file("+params[0]+"):"+address)
}

// content reads a file once. Paths are relative to the service's folder, also
// those that are written in included files.
func (r *resolver) content(written string) answer {
	name := path.Clean(strings.ReplaceAll(written, `\`, "/"))
	if a, done := r.files[name]; done {
		return a
	}
	a := r.include(name)
	r.files[name] = a
	return a
}

// include opens a file that has not been met before.
func (r *resolver) include(name string) answer {
	switch {
	case strings.Contains(name, ":") || strings.HasPrefix(name, "~") || path.IsAbs(name),
		strings.HasPrefix(name, strings.Repeat("../", maxParent+1)):
		return answer{unknown: fmt.Sprintf("%q is not a path near the service, which alone is read", name)}
	case r.read == nil || len(r.files) >= maxFiles || r.bytes > maxBytes:
		return answer{unknown: "more files are included than are read"}
	}
	switch path.Ext(name) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts":
		return answer{unknown: fmt.Sprintf("%q is a program, which is not run", name)}
	}
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	f, err := r.read(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return answer{missing: fmt.Sprintf("there is no file %q", full)}
	case err != nil:
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		r.fault(source.Span{File: source.NewFile(full, nil), Start: source.Pos{Line: 1, Col: 1}}, "cannot be read: %s", err)
		return answer{unknown: fmt.Sprintf("file %q cannot be read", full)}
	}
	r.bytes += len(f.Data)
	return r.parse(f, path.Ext(name))
}

// parse reads a file as what its name says; other names hold plain text.
func (r *resolver) parse(f *source.File, ext string) answer {
	var docs []*node.Node
	var d *source.Diagnostic
	start := source.Span{File: f, Start: source.Pos{Line: 1, Col: 1}}
	switch ext {
	case ".yml", ".yaml":
		if blank(f.Data) {
			return answer{missing: fmt.Sprintf("file %q is empty", f.Name)}
		}
		docs, d = node.ParseYAML(f)
	case ".json", ".tfstate":
		var doc *node.Node
		doc, d = node.ParseJSON(f)
		docs = []*node.Node{doc}
	default:
		if len(f.Data) > maxText || !utf8.Valid(f.Data) {
			return answer{unknown: fmt.Sprintf("file %q is not a short text", f.Name)}
		}
		return answer{node: textNode(string(f.Data), start)}
	}
	if d == nil && len(docs) != 1 {
		d = source.Errorf(start, "found %d documents, expected one in an included file", len(docs))
	}
	if d != nil {
		r.fault(d.At, "%s", d.Message)
		return answer{unknown: fmt.Sprintf("file %q cannot be read", f.Name)}
	}
	return answer{node: docs[0]}
}

// blank tells whether a YAML file holds nothing but comments.
func blank(data []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && string(line) != "---" {
			return false
		}
	}
	return true
}
