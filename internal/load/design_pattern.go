package load

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// designDefaults are the values that [defaults] sets for all patterns.
type designDefaults struct {
	consistent          source.Value[bool]
	average, peak       source.Value[float64]
	returns             source.Value[float64]
	path, reason, order source.Value[string]
}

func (d *designFile) readDefaults(s *section) {
	if s == nil {
		return
	}
	x := &d.defaults
	x.consistent, x.reason = s.truth("consistent"), s.text("reason")
	x.average, x.peak = s.rate()
	x.returns, x.path, x.order = field(s, "returns", asAmount), field(s, "path", asPath), field(s, "order", asOrder)
	s.done()
}

// apply fills what a pattern leaves out. A default that makes no sense for the
// operation, such as the order of a GetItem, is not applied.
func (x designDefaults) apply(p *table.Pattern) {
	op, ok := p.Operation.Get()
	if p.Average.Absent() && p.Peak.Absent() {
		p.Average, p.Peak = defaulted(x.average), defaulted(x.peak)
	}
	fill(&p.Path, x.path)
	if !ok || table.Writes(op) {
		return
	}
	if op != table.TransactGetItems { // always reads strongly
		fill(&p.Consistent, x.consistent)
	}
	if source.Is(p.Consistent, true) {
		fill(&p.Reason, x.reason)
	}
	if op == table.Query || op == table.Scan {
		fill(&p.Returns, x.returns)
		fill(&p.Order, x.order)
	}
}

func fill[T any](v *source.Value[T], from source.Value[T]) {
	if v.Absent() && !from.Absent() {
		*v = defaulted(from)
	}
}

// defaulted is a value of [defaults] as a pattern has it.
func defaulted[T any](v source.Value[T]) source.Value[T] {
	if x, ok := v.Get(); ok {
		return source.Defaulted(x, v.At)
	}
	return v
}

func asPath(n *node.Node) (string, string) {
	return words(table.PathMain, table.PathAdmin, table.PathBatch)(n)
}

func asOrder(n *node.Node) (string, string) {
	return words("newest-first", "oldest-first", "ascending", "descending")(n)
}

func asOperation(n *node.Node) (string, string) {
	v, wrong := words(table.Operations...)(n)
	if wrong != "" && n.Kind == node.String {
		if near := nearest(n.Text, table.Operations); near != "" {
			wrong += ", did you mean \"" + near + "\"?"
		}
	}
	return v, wrong
}

func (d *designFile) pattern(s *section) *table.Pattern {
	p := &table.Pattern{At: s.n.At, Name: s.required("name"), Table: s.text("table"), Index: s.text("index")}
	p.Operation = field(s, "operation", asOperation)
	if p.Operation.Absent() {
		d.errorf(s.n.At, `%s needs an "operation" such as "Query"`, s.title)
		p.Operation = source.Unresolved[string](`"operation" is missing`, s.n.At)
	}
	p.Entity, p.Entities = s.text("entity"), s.texts("entities")
	p.Key, p.Filter = s.text("key"), s.text("filter")
	s.aliases("names", `names = { "#st" = "status" }`, "#", asText, func(alias string, v source.Value[string]) {
		p.Names = append(p.Names, table.NameAlias{Alias: alias, Name: v})
	})
	s.aliases("values", `values = { ":pk" = "USER#{userId}" }`, ":", asLiteralTemplate, func(alias string, v source.Value[string]) {
		p.Values = append(p.Values, table.ValueAlias{Alias: alias, Text: v})
	})
	p.Returns, p.Keeps = field(s, "returns", asAmount), field(s, "keeps", asShare)
	p.WholeItem = !s.has("needs")
	p.Needs = s.texts("needs")
	p.Order, p.OrderBy = field(s, "order", asOrder), s.text("order_by")
	p.Consistent, p.Reason = s.truth("consistent"), s.text("reason")
	p.Average, p.Peak = s.rate()
	p.Path = field(s, "path", asPath)
	p.Sets = s.texts("sets")
	if !s.has("sets") {
		p.Sets.Incomplete = `"sets" is not declared`
	}
	p.Appends = s.appends()
	p.Fanout = s.whole("fanout", 1)
	s.done()
	d.defaults.apply(p)
	return p
}

// aliases reads the placeholders of expressions, which begin with a sign.
func (s *section) aliases(key, form, sign string, parse func(*node.Node) (string, string), add func(string, source.Value[string])) {
	s.entries(key, form, func(sub *section, alias string, v *node.Node) {
		if !strings.HasPrefix(alias, sign) || alias == sign {
			s.d.errorf(sub.keyAt(alias), "%q in %s must begin with %q, as in %s", alias, sub.title, sign, form)
			return
		}
		add(alias, value(sub, alias, v, parse))
	})
}

func asLiteralTemplate(n *node.Node) (string, string) {
	if n.Kind == node.String && n.Text != "" {
		return asTemplate(n)
	}
	return asLiteral(n)
}

// rate reads calls a second: one number, or { average, peak }. One number is
// the average, and the peak too until something better is stated.
func (s *section) rate() (average, peak source.Value[float64]) {
	n := s.get("rate")
	if n == nil {
		return source.Absent[float64](s.n.At), source.Absent[float64](s.n.At)
	}
	if n.Kind != node.Map {
		average = value(s, "rate", n, asRate)
		return average, defaulted(average)
	}
	sub := &section{d: s.d, n: n, title: "rate of " + s.title, parent: s}
	average, peak = field(sub, "average", asRate), field(sub, "peak", asRate)
	sub.done()
	inOrder(sub, "average", average, "peak", peak)
	return average, peak
}

// appends reads appends = { attribute, size, times }.
func (s *section) appends() *table.Append {
	sub := s.table("appends", `appends = { attribute = "events", size = "200B", times = 500 }`)
	if sub == nil {
		return nil
	}
	sub.title = "appends of " + s.title
	a := &table.Append{At: sub.n.At, Attribute: sub.required("attribute"), Size: field(sub, "size", asPositive), Times: sub.whole("times", 1)}
	sub.done()
	return a
}
