package plan

import (
	"fmt"
	"strings"
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The builders below make small tables by hand; every value is written.

func w[T any](v T) source.Value[T] { return source.Written(v, source.Span{}) }

func ws(names ...string) (l source.List[source.Value[string]]) {
	for _, n := range names {
		l.Items = append(l.Items, w(n))
	}
	return l
}

// key reads "companyId,assessmentType / status,createdAt:N"; S is the default type.
func key(spec string) (k table.Key) {
	for i, side := range strings.SplitN(spec, "/", 2) {
		role := table.Hash
		if i == 1 {
			role = table.Range
		}
		for _, part := range strings.Split(side, ",") {
			name, typ, ok := strings.Cut(strings.TrimSpace(part), ":")
			if !ok {
				typ = "S"
			}
			k.Elements = append(k.Elements, table.KeyElement{Attribute: table.Attribute{Name: w(name), Type: w(typ)}, Role: w(role)})
		}
	}
	return k
}

type option func(*table.Table)

func newTable(spec string, opts ...option) *table.Table {
	t := &table.Table{LogicalName: "T", Name: w("T"), Key: key(spec)}
	for _, o := range opts {
		o(t)
	}
	return t
}

// gsi adds an index; projection is ALL, KEYS_ONLY or a comma list of names.
func gsi(name, spec, projection string) option { return index(table.GSI, name, spec, projection) }

func lsi(name, spec, projection string) option { return index(table.LSI, name, spec, projection) }

func index(kind table.IndexKind, name, spec, projection string) option {
	return func(t *table.Table) {
		ix := &table.Index{Kind: kind, Name: w(name), Key: key(spec), Projection: w(projection)}
		if projection != table.ProjectionAll && projection != table.ProjectionKeysOnly {
			ix.Projection, ix.NonKey = w(table.ProjectionInclude), ws(strings.Split(projection, ",")...)
		}
		if kind == table.GSI {
			t.GSIs.Items = append(t.GSIs.Items, ix)
		} else {
			t.LSIs.Items = append(t.LSIs.Items, ix)
		}
	}
}

// entity adds an entity with "attr=template" key parts.
func entity(name string, more func(*table.Entity), keys ...string) option {
	return func(t *table.Table) {
		e := &table.Entity{Name: w(name)}
		for _, k := range keys {
			attr, text, _ := strings.Cut(k, "=")
			e.Key = append(e.Key, table.Template{Attribute: attr, Text: w(text)})
		}
		if more != nil {
			more(e)
		}
		t.Entities.Items = append(t.Entities.Items, e)
	}
}

func has(attrs ...string) func(*table.Entity) {
	return func(e *table.Entity) {
		for _, a := range attrs {
			e.Attributes = append(e.Attributes, table.EntityAttribute{Name: a, Type: w("S")})
		}
	}
}

// pat makes a pattern from "field=value" parts, split at the first "=".
func pat(op string, parts ...string) *table.Pattern {
	p := &table.Pattern{Name: w("p"), Table: w("T"), Operation: w(op)}
	for _, part := range parts {
		field, v, _ := strings.Cut(part, "=")
		switch field {
		case "index":
			p.Index = w(v)
		case "entity":
			p.Entity = w(v)
		case "entities":
			p.Entities = ws(strings.Split(v, ",")...)
		case "key":
			p.Key = w(v)
		case "filter":
			p.Filter = w(v)
		case "needs":
			p.Needs = ws(strings.Split(v, ",")...)
		case "whole":
			p.WholeItem = true
		case "order":
			p.Order = w(v)
		case "by":
			p.OrderBy = w(v)
		case "strong":
			p.Consistent = w(true)
		default:
			switch field[0] {
			case '#':
				p.Names = append(p.Names, table.NameAlias{Alias: field, Name: w(v)})
			case ':':
				p.Values = append(p.Values, table.ValueAlias{Alias: field, Text: w(v)})
			default:
				panic("no field " + field)
			}
		}
	}
	return p
}

func counts(p *table.Pattern, returns, keeps float64) *table.Pattern {
	if returns >= 0 {
		p.Returns = w(returns)
	}
	if keeps >= 0 {
		p.Keeps = w(keeps)
	}
	return p
}

// summary is a result in one line: state, access or faults.
func summary(r Result) string {
	switch r.State {
	case Served:
		where := "base"
		if r.Access.Index != nil {
			where = r.Access.Index.DisplayName()
		}
		return fmt.Sprintf("%s %s: %s", r.Access.Method, where, r.Access.Condition)
	case Unknown:
		return "unknown: " + strings.Join(r.Needs, "; ")
	}
	var kinds []string
	for _, f := range r.Faults {
		kinds = append(kinds, fmt.Sprintf("%s(%s)", f.Kind, f.Attribute))
	}
	return strings.Join(kinds, " ")
}

func ways(list []*Access) string {
	var out []string
	for _, a := range list {
		where := "base"
		if a.Index != nil {
			where = a.Index.DisplayName()
		}
		mark := ""
		if a.Exact {
			mark = "!"
		}
		if a.FetchBack {
			mark += "+back"
		}
		out = append(out, where+mark+": "+a.Condition)
	}
	return strings.Join(out, "; ")
}

func changeKinds(list []Change) string {
	var out []string
	for _, c := range list {
		s := c.Kind
		if c.Backfill {
			s += "(backfill)"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func want(t *testing.T, what, got, expected string) {
	t.Helper()
	if got != expected {
		t.Errorf("%s:\n got %s\nwant %s", what, got, expected)
	}
}
