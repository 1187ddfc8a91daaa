package rules

import (
	"regexp"
	"strings"
	"testing"

	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// w is a written value without a place; un is one that cannot be known.
func w[T any](v T) source.Value[T] { return source.Written(v, source.Span{}) }

func un[T any](why string) source.Value[T] { return source.Unresolved[T](why, source.Span{}) }

func listOf[T any](items ...T) source.List[T] { return source.List[T]{Items: items} }

// key builds a schema of "name:ROLE:TYPE" elements; "?" for a part is unresolved.
func key(elements ...string) (k table.Key) {
	for _, e := range elements {
		parts := append(strings.Split(e, ":"), "", "")
		part := func(i int) source.Value[string] {
			switch parts[i] {
			case "?":
				return un[string]("!Ref Param")
			case "":
				return source.Value[string]{}
			}
			return w(parts[i])
		}
		k.Elements = append(k.Elements, table.KeyElement{
			Attribute: table.Attribute{Name: part(0), Type: part(2)}, Role: part(1),
		})
	}
	return k
}

func gsi(name string, elements ...string) *table.Index {
	return &table.Index{Kind: table.GSI, Name: w(name), Key: key(elements...), Projection: w(table.ProjectionAll)}
}

func lsi(name string, elements ...string) *table.Index {
	ix := gsi(name, elements...)
	ix.Kind = table.LSI
	return ix
}

func defs(names ...string) (l source.List[table.AttributeDef]) {
	for _, n := range names {
		name, typ, _ := strings.Cut(n, ":")
		l.Items = append(l.Items, table.AttributeDef{Name: w(name), Type: w(typ)})
	}
	return l
}

// base is an on-demand CloudFormation table with one string key.
func base(change ...func(*table.Table)) *table.Table {
	t := &table.Table{
		LogicalName: "T", ResourceType: "AWS::DynamoDB::Table", Name: w("Orders"),
		Attributes: defs("id:S"), Key: key("id:HASH:S"), Billing: w(table.PayPerRequest),
	}
	t.TTL.Enabled = source.Defaulted(false, source.Span{})
	for _, c := range change {
		c(t)
	}
	return t
}

// fixed makes a table provisioned at r read and w write units.
func fixed(read, write int64) func(*table.Table) {
	return func(t *table.Table) {
		t.Billing, t.Capacity = w(table.Provisioned), units(read, write)
	}
}

func units(read, write int64) table.Throughput {
	return table.Throughput{Read: w(read), Write: w(write)}
}

func target(low, high int64, percent float64) source.Value[table.ScalingTarget] {
	return w(table.ScalingTarget{Min: w(low), Max: w(high), Percent: w(percent)})
}

func scaled(low, high int64) table.AutoScaling {
	return table.AutoScaling{Read: target(low, high, 70), Write: target(low, high, 70)}
}

// ruleCase is one table under one rule. want holds "severity regexp" of each
// finding, skips a part of each thing that is not evaluated.
type ruleCase struct {
	name  string
	rule  *Rule
	table *table.Table
	plans []plan.Result
	want  []string
	skips []string
}

func judge(r *Rule, t *table.Table, plans []plan.Result) *Pass {
	p := &Pass{Table: t, Plans: plans, rule: r}
	if r.Applies == nil || r.Applies(t) {
		if missing := r.lacking(t); len(missing) > 0 {
			p.Skip("", missing...)
		} else {
			r.Check(p)
		}
	}
	return p
}

func (c ruleCase) run(t *testing.T) {
	t.Run(c.rule.ID+"/"+c.name, func(t *testing.T) {
		p := judge(c.rule, c.table, c.plans)
		if len(p.findings) != len(c.want) {
			t.Errorf("%d findings, want %d", len(p.findings), len(c.want))
		}
		prints := map[string]bool{}
		for i, f := range p.findings {
			got := f.Severity.String() + " " + f.Message
			if i >= len(c.want) || !regexp.MustCompile(c.want[i]).MatchString(got) {
				t.Errorf("finding %d: %s", i, got)
			}
			if f.Message == "" || strings.HasSuffix(f.Message, ".") || f.Fix == "" {
				t.Errorf("finding %d has message %q and fix %q", i, f.Message, f.Fix)
			}
			if id := f.Fingerprint(); prints[id] {
				t.Errorf("finding %d has the fingerprint of another: %s", i, got)
			} else {
				prints[id] = true
			}
		}
		var skips []string
		for _, s := range p.skips {
			skips = append(skips, s.Subject+": "+strings.Join(s.Needs, "; "))
		}
		if len(skips) != len(c.skips) {
			t.Errorf("skips %q, want %q", skips, c.skips)
			return
		}
		for i, s := range skips {
			if !strings.Contains(s, c.skips[i]) {
				t.Errorf("skip %q, want %q", s, c.skips[i])
			}
		}
	})
}
