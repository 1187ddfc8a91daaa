package rules

import (
	"fmt"
	"strings"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var lsiFetch = &Rule{
	ID: "lsi-fetch", Severity: Warning, Needs: Definition | Patterns, Applies: hasLSI, Check: checkLSIFetch,
	Doc: Doc{
		Summary:   "a query on a local index reads attributes that the index does not carry",
		Why:       "DynamoDB fetches every such item from the table, whole and rounded up to 4 KB by itself, on top of the index's own bytes.",
		Fix:       "Project the attributes into the index, or declare that the caller does not need them.",
		Threshold: "any attribute needed and not projected",
		Source:    "DynamoDB developer guide: LSI (read operations)",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"\nprojection = \"keys-only\"\n[[access_pattern]]\nindex = \"byDate\"\noperation = \"Query\"\nneeds = [\"total\"]",
		Good:      "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"\nprojection = [\"total\"]\n[[access_pattern]]\nindex = \"byDate\"\noperation = \"Query\"\nneeds = [\"total\"]",
	},
}

func checkLSIFetch(p *Pass) {
	t := p.Table
	gaps := append(listGaps("lsis", t.LSIs), listGaps("access patterns", t.Patterns)...)
	if len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for i := range p.Plans {
		r := &p.Plans[i]
		if r.Pattern.Index.Unresolved() {
			p.Skip(patternName(r.Pattern), gap("index", r.Pattern.Index))
			continue
		}
		name, ok := r.Pattern.Index.Get()
		ix := t.IndexNamed(name)
		switch {
		case !ok || ix == nil || ix.Kind != table.LSI:
		case r.State == plan.Unknown:
			p.Skip(patternName(r.Pattern), r.Needs...)
		case r.Access != nil && r.Access.Fetch:
			reportFetch(p, r, ix)
		}
	}
}

func reportFetch(p *Pass, r *plan.Result, ix *table.Index) {
	what := "the whole item (no needs are declared)"
	if m := r.Access.Missing; len(m) > 0 && m[0] != "*" {
		what = quotedList(m)
	}
	f := Finding{
		Known: Estimated, Index: ix.DisplayName(), Pattern: patternName(r.Pattern),
		At: place(r.Pattern.Needs.At, r.Pattern.Index.At, r.Pattern.At),
		Message: fmt.Sprintf("pattern %q reads %s through local index %q, which does not carry it: each item is fetched whole from the table, 4 KB at least",
			patternName(r.Pattern), what, ix.DisplayName()),
	}
	if spent, projected, ok := fetchUnits(p.Table, r); ok && spent > projected {
		f.Message += fmt.Sprintf("; %s RCU a call instead of %s", number(spent), number(projected))
		f.Numbers = []Number{{"rcu_per_call", spent}, {"rcu_if_projected", projected}}
		if rate, known := averageRate(r.Pattern); known {
			f.Monthly = p.monthlyUnits((spent-projected)*rate, false)
			if f.Monthly.Known() {
				f.Message += ", which costs " + f.Monthly.String() + " a month more"
			}
		}
	}
	if m := r.Access.Missing; len(m) > 0 && m[0] != "*" {
		f.Fix = fmt.Sprintf("Project %s into %q; a local index is fixed at creation, so this means a new table.", strings.Join(m, ", "), ix.DisplayName())
	}
	p.Report(f)
}

// fetchUnits is what one call reads, and the most that it would read if the
// index carried whole items.
func fetchUnits(t *table.Table, r *plan.Result) (spent, projected float64, known bool) {
	spent, known = readUnits(t, r)
	items, ok := r.Evaluated.Get()
	entity, named := r.Pattern.Entity.Get()
	if !known || !ok || !named {
		return 0, 0, false
	}
	bytes, ok := table.ItemBytes(t.EntityNamed(entity))
	c := cost.Eventual
	if source.Is(r.Pattern.Consistent, true) {
		c = cost.Strong
	}
	return spent, cost.PageUnits(items, float64(bytes), c), ok
}
