package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The size that an item and its local index entries may have together, and
// 80 % of it, in bytes.
const (
	lsiItemLimit = 400 << 10
	lsiItemNear  = 320 << 10
)

var lsiItem400KB = &Rule{
	ID: "lsi-item-400kb", Severity: Warning, Needs: Definition, Either: Data | Items, Applies: hasLSI, Check: checkLSIItem,
	Doc: Doc{
		Summary:   "an item and its local index entries near 400 KB together",
		Why:       "On a table with local indexes the 400 KB of an item include its entries in them, so an ALL projection halves what an item may hold; larger writes fail.",
		Fix:       "Project KEYS_ONLY into the local index, use a global index, or split the item.",
		Threshold: "over 320 KB is a warning (80 %), over 400 KB an error",
		Source:    "DynamoDB developer guide: Constraints (items)",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"\nprojection = \"all\"\n[[table.entity]]\nname = \"Document\"\nitem_size = { p50 = \"20KB\", p99 = \"180KB\", max = \"250KB\" }",
		Good:      "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"\nprojection = \"keys-only\"",
	},
}

func checkLSIItem(p *Pass) {
	t := p.Table
	if len(t.LSIs.Items) == 0 {
		p.Skip("", listGaps("lsis", t.LSIs)...)
		return
	}
	for _, e := range t.Entities.Items {
		judgeItem(p, entityName(e), entitySpan(e), itemSizes(t, e), e)
	}
	if len(t.Entities.Items) == 0 {
		judgeSampledItem(p)
	}
}

// entitySpan is where an entity's size stands.
func entitySpan(e *table.Entity) source.Span { return place(e.Size.Max.At, e.At) }

// itemSizes bounds the largest item with its entries.
func itemSizes(t *table.Table, e *table.Entity) band {
	most, ok := e.Size.Max.Get()
	size := band{float64(most), float64(most)}
	if !ok {
		p99, _ := e.Size.P99.Get()
		p50, _ := e.Size.P50.Get()
		size = band{float64(max(p99, p50)), anything.hi}
	}
	item := size
	for _, ix := range t.LSIs.Items {
		in, known := table.Enters(t, ix, e)
		switch {
		case known && !in:
		case source.Is(ix.Projection, table.ProjectionAll) && known:
			size = size.add(item)
		default:
			entry, exact := table.EntrySize(t, ix, e)
			add := band{0, item.hi}
			if exact && known {
				add.lo = min(float64(entry), item.lo)
			}
			if entry > 0 && ix.Projection.Known() && !source.Is(ix.Projection, table.ProjectionAll) {
				add.hi = min(item.hi, float64(entry))
			}
			size = size.add(add)
		}
	}
	return size
}

func judgeItem(p *Pass, name string, at source.Span, size band, e *table.Entity) {
	switch {
	case size.lo > lsiItemNear:
		f := Finding{
			Known: Estimated, Entity: name, At: at,
			Message: fmt.Sprintf("the largest item of %q has %s with its entries in %s, over 80 %% of the limit of 400 KB", name, byteSize(size.lo), localIndexes(p.Table)),
			Numbers: []Number{{"bytes", size.lo}, {"limit_bytes", lsiItemLimit}},
		}
		if size.lo > lsiItemLimit {
			f.Severity = Error
			f.Message = fmt.Sprintf("the largest item of %q has %s with its entries in %s; the limit is 400 KB", name, byteSize(size.lo), localIndexes(p.Table))
		}
		p.Report(f)
	case size.hi > lsiItemNear:
		if !e.Size.Max.Known() {
			p.Skip(name, gap("the largest item size of "+quoted(name), e.Size.Max))
			return
		}
		p.Skip(name, "the sizes of the attributes in "+localIndexes(p.Table))
	}
}

// judgeSampledItem judges the largest item seen; its entries are at least 0.
func judgeSampledItem(p *Pass) {
	t := p.Table
	most := t.Profile.Size[len(t.Profile.Size)-1]
	size := band{float64(most), float64(most) * float64(1+len(t.LSIs.Items))}
	for _, ix := range t.LSIs.Items {
		if source.Is(ix.Projection, table.ProjectionAll) {
			size.lo += float64(most)
		}
	}
	switch {
	case size.lo > lsiItemNear:
		f := Finding{
			Known: Sampled, At: firstLSI(t),
			Message: fmt.Sprintf("the largest of %s items sampled has up to %s with its entries in %s; the limit is 400 KB",
				number(float64(t.Profile.Items)), byteSize(size.lo), localIndexes(t)),
			Numbers: []Number{{"bytes", size.lo}, {"limit_bytes", lsiItemLimit}},
		}
		if float64(most) > lsiItemLimit {
			f.Severity = Error
		}
		p.Report(f)
	case size.hi > lsiItemNear || t.Profile.Items < t.Profile.Of:
		p.Skip("", "declared entities with their largest item size (a sample cannot show the largest item)")
	}
}
