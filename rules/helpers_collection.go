package rules

import (
	"math"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The size that a table with local indexes allows one item collection (items
// and index entries of one partition key value), and 80 % of it. Source:
// developer guide, LSI (item collection size limit).
const (
	collectionLimit = 10 << 30
	collectionNear  = 8 << 30
)

// How long before the limit is reached a growing collection is worth a
// finding, in days; ours, no published source.
const (
	collectionSoon  = 365
	collectionLater = 3 * 365
)

// band is a quantity between two bounds; hi is infinite when nothing bounds it.
type band struct{ lo, hi float64 }

func (b band) add(o band) band          { return band{b.lo + o.lo, b.hi + o.hi} }
func (b band) times(f float64) band     { return band{b.lo * f, b.hi * f} }
func (b band) over(lo, hi float64) band { return band{b.lo / hi, b.hi / lo} }

var anything = band{0, math.Inf(1)}

// collection is the items of one partition key value of a table with local
// indexes, taken to be of even size over all values.
type collection struct {
	use     partition // the first entity's
	now     band      // bytes with index entries
	daily   band      // bytes added a day
	settles band      // bytes at which retention stops the growth
	busiest float64   // the busiest value's share of the traffic; 0: not declared
	values  float64   // most distinct values
	needs   []string  // what would narrow the bands
}

// collectionsOf estimates the item collections of a table, one for each form
// of the partition key; entities of one form share their collections.
func collectionsOf(t *table.Table) (out []*collection, gaps []string) {
	byText := map[string]*collection{}
	for _, u := range partitionsOf(t, nil) {
		if u.needs != "" {
			gaps = append(gaps, u.needs)
			continue
		}
		c := byText[u.text]
		if c == nil {
			c = &collection{use: u}
			byText[u.text] = c
			out = append(out, c)
		}
		c.include(t, u)
	}
	return out, gaps
}

// include adds the share of one entity.
func (c *collection) include(t *table.Table, u partition) {
	e := u.entity
	item, needs := itemWithEntries(t, e)
	c.needs = append(c.needs, needs...)
	lo, hi := u.distinctValues()
	if lo != hi {
		for _, pl := range u.places {
			if _, known := pl.values(); !known {
				c.needs = append(c.needs, "distinct values of "+quoted(pl.name))
			}
		}
	}
	c.values = max(c.values, hi)
	if _, share, declared := u.busiestShare(); declared {
		c.busiest = max(c.busiest, share)
	}
	each := item.over(lo, hi) // of one item of the entity in the mean collection
	if n, ok := e.Count.Get(); ok {
		c.now = c.now.add(each.times(n))
	} else {
		c.now = c.now.add(anything)
		c.needs = append(c.needs, "the count of "+quoted(entityName(e)))
	}
	growth, ok := e.Growth.Get()
	switch {
	case ok:
		c.daily = c.daily.add(each.times(growth))
	case e.Growth.Unresolved():
		c.daily = c.daily.add(anything)
		c.needs = append(c.needs, gap("growth of "+quoted(entityName(e)), e.Growth))
	}
	switch kept, ok := e.Retention.Get(); {
	case ok:
		c.settles = c.settles.add(each.times(growth * kept / 86_400))
	case e.Retention.Unresolved():
		c.settles = c.settles.add(anything)
		c.needs = append(c.needs, gap("retention of "+quoted(entityName(e)), e.Retention))
	case growth > 0:
		c.settles = band{math.Inf(1), math.Inf(1)}
	default:
		n, _ := e.Count.Get()
		c.settles = c.settles.add(each.times(n))
	}
}

// itemWithEntries is the size of a typical item together with its entries in
// the local indexes. An entry is never larger than its item.
func itemWithEntries(t *table.Table, e *table.Entity) (size band, needs []string) {
	bytes, ok := table.ItemBytes(e)
	if !ok {
		return anything, []string{"the item size of " + quoted(entityName(e))}
	}
	size = band{float64(bytes), float64(bytes)}
	for _, ix := range t.LSIs.Items {
		in, known := table.Enters(t, ix, e)
		if known && !in {
			continue
		}
		entry, exact := table.EntrySize(t, ix, e)
		most := float64(bytes)
		if exact {
			most = min(most, float64(entry))
		}
		least := most
		if !known || !exact {
			least = 0
		}
		size = size.add(band{least, most})
	}
	return size, nil
}

// days is how long until the collection has the given size; hi is infinite
// where it may never have it.
func (c *collection) days(limit float64) band {
	reach := func(now, daily, settles float64) float64 {
		switch {
		case now >= limit:
			return 0
		case daily <= 0 || settles < limit:
			return math.Inf(1)
		}
		return (limit - now) / daily
	}
	return band{reach(c.now.hi, c.daily.hi, c.settles.hi), reach(c.now.lo, c.daily.lo, c.settles.lo)}
}

// scaledTo is the collection with another share of all items than the mean.
func (c *collection) scaledTo(share float64) *collection {
	f := share * c.values
	out := *c
	out.now, out.daily, out.settles = c.now.times(f), c.daily.times(f), c.settles.times(f)
	return &out
}

// localIndexes is "local index "a"" or "local indexes "a" and "b"".
func localIndexes(t *table.Table) string {
	var names []string
	for _, ix := range t.LSIs.Items {
		names = append(names, ix.DisplayName())
	}
	if len(names) == 1 {
		return "local index " + quoted(names[0])
	}
	return "local indexes " + quotedList(names)
}

// firstLSI is the place of the first local index, which brings the limit.
func firstLSI(t *table.Table) source.Span {
	if len(t.LSIs.Items) == 0 {
		return t.At
	}
	return place(t.LSIs.Items[0].At, t.At)
}
