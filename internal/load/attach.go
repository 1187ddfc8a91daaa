package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/cfn"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// finish resolves what points from one file to another: definitions first,
// since they may give a table the name that a pattern uses.
func (l *loader) finish(r Result) Result {
	l.resolveDefinitions(&r)
	attachPatterns(&r)
	r.Errors = append(r.Errors, undeclared(l.options.Parameters, r.parameters)...)
	return r
}

// undeclared reports the given parameters that no template which was read
// declares. They have no place: they come from the command line.
func undeclared(given map[string]string, declared []string) (errs []*source.Diagnostic) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case cfn.Pseudo(name) || slices.Contains(declared, name):
		case strings.HasPrefix(name, "AWS::"):
			errs = append(errs, source.Errorf(source.Span{}, "there is no pseudo parameter %q%s", name, nearestOrAll(name, cfn.PseudoNames(), "they are ")))
		default:
			errs = append(errs, source.Errorf(source.Span{}, "no template declares parameter %q%s", name, nearestOrAll(name, declared, "they declare ")))
		}
	}
	return errs
}

// attachPatterns gives the patterns of tables that stand in another file to
// those tables.
func attachPatterns(r *Result) {
	checks := &designFile{}
	for _, p := range r.Patterns {
		name, ok := p.Table.Get()
		if !ok {
			continue // the design reader has said so
		}
		switch found := tablesNamed(r.Tables, name); len(found) {
		case 0:
			r.Errors = append(r.Errors, source.Errorf(p.Table.At, "no table %q was read%s",
				name, nearestOrAll(name, displayNames(r.Tables), "the tables are ")))
		case 1:
			t := found[0]
			checks.checkIndex(t, p)
			p.Entity = checks.checkEntity(t, p.Entity)
			for i, e := range p.Entities.Items {
				p.Entities.Items[i] = checks.checkEntity(t, e)
			}
			t.Patterns.Items = append(t.Patterns.Items, p)
			t.Declared = true
		default:
			r.Errors = append(r.Errors, source.Errorf(p.Table.At, "table %q is described more than once, at %s and at %s; give one of them",
				name, found[0].At, found[1].At))
		}
	}
	r.Patterns = nil
	r.Errors = append(r.Errors, checks.errs...)
}

// tablesNamed finds tables by name or, where none has it, by logical name.
func tablesNamed(tables []*table.Table, name string) (found []*table.Table) {
	for _, t := range tables {
		if source.Is(t.Name, name) {
			found = append(found, t)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, t := range tables {
		if t.LogicalName == name {
			found = append(found, t)
		}
	}
	return found
}

func displayNames(tables []*table.Table) (names []string) {
	for _, t := range tables {
		if n := t.DisplayName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// resolveDefinitions fills the tables that say "file#Resource". The table of
// the definition itself, where it was read too, is the same table and goes.
func (l *loader) resolveDefinitions(r *Result) {
	extra := map[string]Result{}
	gone := map[*table.Table]bool{}
	for i, t := range r.Tables {
		if _, ok := t.Definition.Get(); !ok {
			continue
		}
		def, errs := l.definition(t, extra)
		r.Errors = append(r.Errors, errs...)
		if def == nil {
			continue
		}
		gone[def] = true
		s := &settler{name: t.DisplayName()}
		r.Tables[i] = s.merge(def, t)
		r.Errors = append(r.Errors, s.errs...)
	}
	r.Tables = slices.DeleteFunc(r.Tables, func(t *table.Table) bool { return gone[t] })
	for _, e := range extra {
		r.parameters = append(r.parameters, e.parameters...)
	}
}

// definition finds the table that t's definition names; extra holds the files
// that were read for this alone.
func (l *loader) definition(t *table.Table, extra map[string]Result) (*table.Table, []*source.Diagnostic) {
	text, _ := t.Definition.Get()
	cut := strings.LastIndexByte(text, '#')
	if cut < 0 {
		return nil, []*source.Diagnostic{source.Errorf(t.Definition.At, "definition %q names no resource, expected file#Resource", text)}
	}
	path, resource := text[:cut], text[cut+1:]
	if !filepath.IsAbs(path) && t.At.File != nil {
		path = filepath.Join(filepath.Dir(t.At.File.Name), path)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, []*source.Diagnostic{source.Errorf(t.Definition.At, "the definition's file %s cannot be read: %s", path, reason(err))}
	}
	r, fresh := l.resultOf(path, extra)
	var errs []*source.Diagnostic
	if fresh {
		errs = r.Errors
	}
	var candidates []*table.Table
	for _, c := range r.Tables {
		if c.ResourceType != "design" {
			candidates = append(candidates, c)
		}
	}
	for _, c := range candidates {
		if c.LogicalName == resource {
			return c, errs
		}
	}
	if found := tablesNamed(candidates, resource); len(found) > 0 {
		return found[0], errs
	}
	if len(r.Tables) == 0 && len(r.Errors) > 0 {
		return nil, errs // why the file gave no table is said
	}
	names := "none"
	for i, c := range candidates {
		if i == 0 {
			names = strconv.Quote(c.LogicalName)
			continue
		}
		names += ", " + strconv.Quote(c.LogicalName)
	}
	return nil, append(errs, source.Errorf(t.Definition.At, "%s has no table %q, its tables are %s", path, resource, names))
}

// resultOf is what a file gave; fresh tells that nobody has read it before.
func (l *loader) resultOf(path string, extra map[string]Result) (r Result, fresh bool) {
	resolved := realPath(path)
	for _, f := range l.files {
		if realPath(f.entry.path) == resolved {
			r = f.result
			r.Tables = slices.Concat(f.claimed, r.Tables)
			return r, false
		}
	}
	if r, ok := extra[resolved]; ok {
		return r, false
	}
	r = entry{path: path, named: true}.read(l.options)
	extra[resolved] = r
	return r, true
}
