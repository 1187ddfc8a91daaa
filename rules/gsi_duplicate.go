package rules

import (
	"fmt"
	"slices"

	"ddbvet/cost"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var gsiDuplicate = &Rule{
	ID: "gsi-duplicate", Severity: Warning, Needs: Definition, Applies: hasGSI, Check: checkGSIDuplicate,
	Doc: Doc{
		Summary:   "a global index has the same key as the table or as another index",
		Why:       "Both answer the same queries, and every write of an indexed item is paid for twice.",
		Fix:       "Keep one of the two, with a projection that serves both; declare read_replica = true where the copy is on purpose.",
		Threshold: "the same attributes in the same order and roles",
		Source:    "DynamoDB developer guide: bp-indexes-general; exception: bp-indexes-gsi-replica",
		Since:     "0.1",
		Bad:       "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\n[[table.gsi]]\nname = \"mailIndex\"\npartition_key = \"mail:S\"",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"",
	},
}

// hasGSI tells whether the table has or may have a global index.
func hasGSI(t *table.Table) bool { return len(t.GSIs.Items) > 0 || !t.GSIs.Complete() }

func checkGSIDuplicate(p *Pass) {
	t := p.Table
	if gaps := indexGaps(t); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	earlier := []keyed{{"the table", t.Key}}
	for _, ix := range t.LSIs.Items {
		earlier = append(earlier, keyed{fmt.Sprintf("local index %q", ix.DisplayName()), ix.Key})
	}
	for _, ix := range t.GSIs.Items {
		own := keyed{fmt.Sprintf("global index %q", ix.DisplayName()), ix.Key}
		if ix.ReadReplica.Unresolved() {
			p.Skip(ix.DisplayName(), gap("whether the index is a read replica", ix.ReadReplica))
		} else if !source.Is(ix.ReadReplica, true) {
			reportSameKey(p, ix, earlier)
		}
		earlier = append(earlier, own)
	}
}

// keyed is a key schema with its owner's name.
type keyed struct {
	name string
	key  table.Key
}

// reportSameKey reports the first of the earlier schemas that the index
// repeats, and skips where one that is not known might be.
func reportSameKey(p *Pass, ix *table.Index, earlier []keyed) {
	own, ok := schema(ix.Key)
	var gaps []string
	for _, e := range earlier {
		other, known := schema(e.key)
		if !ok || !known {
			if mayBeSame(ix.Key, e.key) {
				gaps = append(gaps, nameGaps(ix.Key)...)
				gaps = append(gaps, nameGaps(e.key)...)
			}
			continue
		}
		if !slices.Equal(own, other) {
			continue
		}
		monthly := p.indexMonthly(ix)
		f := Finding{
			Index: ix.DisplayName(), At: place(ix.At, ix.Key.At), Monthly: monthly,
			Message: fmt.Sprintf("global index %q has the same key as %s: %s", ix.DisplayName(), e.name, keyText(ix.Key)),
		}
		if monthly.Known() {
			f.Message += "; keeping it costs " + monthly.String() + " a month"
		}
		p.Report(f)
		return
	}
	if len(gaps) > 0 {
		slices.Sort(gaps)
		p.Skip(ix.DisplayName(), slices.Compact(gaps)...)
	}
}

// indexMonthly is what an index costs a month to keep: its writes, capacity and
// storage, without the reads that another index would serve as well. It is
// unknown unless the whole bill is known.
func (p *Pass) indexMonthly(ix *table.Index) (sum cost.Money) {
	bill, err := cost.BillOf(p.Table, p.Plans, p.Book, p.Region)
	if err != nil || len(bill.Unknown) > 0 {
		return cost.Money{}
	}
	for _, l := range bill.Lines {
		switch {
		case l.Index != ix.DisplayName() || l.Component == cost.Reads:
		case sum.Known():
			sum = sum.Add(l.Monthly)
		default:
			sum = l.Monthly
		}
	}
	return sum
}

// schema lists role and name of each element; false where one is not known.
func schema(k table.Key) (out []string, known bool) {
	for _, e := range k.Elements {
		role, _ := e.Role.Get()
		name, _ := e.Name.Get()
		out = append(out, role+" "+name)
	}
	return out, k.Complete()
}

// mayBeSame tells whether two schemas of which something is not known may be
// equal: no known element contradicts.
func mayBeSame(a, b table.Key) bool {
	if a.Incomplete == "" && b.Incomplete == "" && len(a.Elements) != len(b.Elements) {
		return false
	}
	for i := range min(len(a.Elements), len(b.Elements)) {
		x, y := a.Elements[i], b.Elements[i]
		if differ(x.Role, y.Role) || differ(x.Name, y.Name) {
			return false
		}
	}
	return true
}

func differ(a, b source.Value[string]) bool {
	x, ok := a.Get()
	y, known := b.Get()
	return ok && known && x != y
}

// keyText is "tenantId, createdAt" for people.
func keyText(k table.Key) string {
	text := ""
	for i, e := range k.Elements {
		if name, _ := e.Name.Get(); i == 0 {
			text = fmt.Sprintf("%q", name)
		} else {
			text += fmt.Sprintf(", %q", name)
		}
	}
	return text
}
