package load

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/load/tomlpos"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// DesignSchema is the version of the design file that Design reads.
const DesignSchema = 1

// Design reads a design file (*.ddb.toml): tables with their keys, indexes and
// entities, and the access patterns they must serve. Whatever is wrong is one
// diagnostic, in order of place, and everything else is still read: a value
// that could not be read is unresolved. A pattern of a table in this file is
// attached to it; the others are in Result.Patterns.
func Design(f *source.File) Result {
	root, bad := tomlpos.Parse(f)
	if bad != nil {
		return Result{Errors: []*source.Diagnostic{bad}}
	}
	d := &designFile{root: root}
	d.read()
	source.SortByPlace(d.errs)
	return Result{Tables: d.tables, Patterns: d.loose, Errors: d.errs}
}

// designFile is one design file while it is read.
type designFile struct {
	root     *node.Node
	errs     []*source.Diagnostic
	region   source.Value[string]
	defaults designDefaults
	tables   []*table.Table
	patterns []*table.Pattern
	loose    []*table.Pattern
	declared bool // the file has access patterns, even if none is readable
}

func (d *designFile) errorf(at source.Span, format string, args ...any) {
	d.errs = append(d.errs, source.Errorf(at, format, args...))
}

func (d *designFile) read() {
	top := &section{d: d, n: d.root, title: "the design file"}
	d.schema(top)
	d.region = top.text("region")
	d.readDefaults(top.table("defaults", "[defaults]"))
	tables, patterns := top.tables("table"), top.tables("access_pattern")
	top.done()
	for _, s := range tables {
		d.addTable(d.table(s))
	}
	d.declared = top.n.Get("access_pattern") != nil
	for _, s := range patterns {
		d.addPattern(d.pattern(s))
	}
	d.attach()
}

func (d *designFile) schema(top *section) {
	n := top.get("schema")
	at := source.Span{File: d.root.At.File, Start: source.Pos{Line: 1, Col: 1}}
	if n == nil {
		d.errorf(at, `"schema" is missing, expected schema = %d as the first line`, DesignSchema)
		return
	}
	if v, wrong := asWhole(1)(n); wrong != "" {
		d.errorf(n.At, `"schema" %s, expected schema = %d`, wrong, DesignSchema)
	} else if v != DesignSchema {
		d.errorf(n.At, "schema %d is not known, expected schema = %d", v, DesignSchema)
	}
}

// addTable keeps a table unless its name is taken; the first one stands.
func (d *designFile) addTable(t *table.Table) {
	if name, ok := t.Name.Get(); ok {
		if first := d.tableNamed(name); first != nil {
			d.errorf(t.Name.At, "table %q is already described at line %d", name, first.Name.At.Start.Line)
			return
		}
	}
	d.tables = append(d.tables, t)
}

func (d *designFile) tableNamed(name string) *table.Table {
	for _, t := range d.tables {
		if source.Is(t.Name, name) {
			return t
		}
	}
	return nil
}

// tableOf is the table a pattern names: by its name or, where that is in the
// definition, by the definition's resource.
func (d *designFile) tableOf(name string) *table.Table {
	if t := d.tableNamed(name); t != nil {
		return t
	}
	for _, t := range d.tables {
		if !t.Name.Known() && t.LogicalName == name {
			return t
		}
	}
	return nil
}

func (d *designFile) addPattern(p *table.Pattern) {
	if name, ok := p.Name.Get(); ok {
		for _, q := range d.patterns {
			if source.Is(q.Name, name) {
				d.errorf(p.Name.At, "access pattern %q is already declared at line %d", name, q.Name.At.Start.Line)
				return
			}
		}
	}
	d.patterns = append(d.patterns, p)
}

// attach gives each pattern to its table and checks the names it uses there.
func (d *designFile) attach() {
	for _, p := range d.patterns {
		name, ok := p.Table.Get()
		if !ok && p.Table.Absent() && len(d.tables) == 1 {
			// A file with one table leaves no doubt.
			p.Table = source.Defaulted(d.tables[0].DisplayName(), p.At)
			name, ok = p.Table.Get()
		}
		if !ok && p.Table.Absent() {
			d.errorf(p.At, `[[access_pattern]] needs a "table"`)
			p.Table = source.Unresolved[string]("the pattern names no table", p.At)
		}
		t := d.tableOf(name)
		if !ok || t == nil {
			d.loose = append(d.loose, p)
			continue
		}
		d.checkIndex(t, p)
		p.Entity = d.checkEntity(t, p.Entity)
		for i, e := range p.Entities.Items {
			p.Entities.Items[i] = d.checkEntity(t, e)
		}
		t.Patterns.Items = append(t.Patterns.Items, p)
	}
	for _, t := range d.tables {
		t.Declared = d.declared || len(t.Entities.Items) > 0
	}
}

// checkIndex makes an index that the table is known to lack unresolved, so
// that one mistake is reported once.
func (d *designFile) checkIndex(t *table.Table, p *table.Pattern) {
	name, ok := p.Index.Get()
	if !ok || !t.GSIs.Complete() || !t.LSIs.Complete() || t.IndexNamed(name) != nil {
		return
	}
	var names []string
	for _, ix := range t.Indexes() {
		if n, ok := ix.Name.Get(); ok {
			names = append(names, n)
		}
	}
	d.errorf(p.Index.At, "table %q has no index %q%s", t.DisplayName(), name, nearestOrAll(name, names, "its indexes are "))
	p.Index = source.Unresolved[string]("no such index: "+name, p.Index.At)
}

func (d *designFile) checkEntity(t *table.Table, e source.Value[string]) source.Value[string] {
	name, ok := e.Get()
	if !ok || t.EntityNamed(name) != nil {
		return e
	}
	var names []string
	for _, x := range t.Entities.Items {
		if n, ok := x.Name.Get(); ok {
			names = append(names, n)
		}
	}
	d.errorf(e.At, "table %q has no entity %q%s", t.DisplayName(), name, nearestOrAll(name, names, "its entities are "))
	return source.Unresolved[string]("no such entity: "+name, e.At)
}
