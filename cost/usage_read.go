package cost

import (
	"fmt"
	"math"

	"ddbvet/internal/table"
)

// read computes the units of a read operation.
func (c *consumer) read(op string) {
	mode := Eventual
	switch strong, ok := c.p.Consistent.Get(); {
	case table.Transactional(op):
		mode = Transactional
	case c.p.Consistent.Unresolved():
		c.lack(gap{index: part(c.r.Access.Index)}, "whether it reads consistently")
		return
	case ok && strong:
		mode = Strong
	}
	switch op {
	case table.GetItem:
		c.readItems(1, mode)
	case table.BatchGetItem, table.TransactGetItems:
		n, ok := c.items()
		if !ok {
			c.lack(gap{}, "returns (items a call)")
			return
		}
		c.readItems(n, mode)
	default:
		c.readPages(mode)
	}
}

// readItems adds n items of the table, each rounded up by itself.
func (c *consumer) readItems(n float64, mode Consistency) {
	entities, ok := c.entities()
	if !ok {
		if size, ok := c.meanBytes(); ok && n == 1 {
			c.addRead("", ReadUnits(size, mode), roundedEach(1, size, ReadUnitBytes, mode.String()))
			return
		}
		c.lack(gap{}, "the entity it reads")
		return
	}
	each := n / float64(len(entities))
	for _, e := range entities {
		size, ok := table.ItemBytes(e)
		if !ok {
			c.lack(gap{}, "item_size of %q", nameOf(e))
			continue
		}
		b := float64(size)
		c.addRead("", each*ReadUnits(b, mode), roundedEach(each, b, ReadUnitBytes, mode.String()))
	}
}

func (c *consumer) addRead(index string, units float64, why string) {
	c.u.Parts = append(c.u.Parts, Part{Index: index, Read: units, Why: fmt.Sprintf("%s: %s", why, unitsText(units))})
}

// meanBytes is the mean size that the planner computed for what one call reads.
func (c *consumer) meanBytes() (float64, bool) {
	n, counted := c.r.Evaluated.Get()
	b, sized := c.r.Bytes.Get()
	if !counted || !sized {
		return 0, false
	}
	if n <= 0 {
		return 0, true
	}
	return b / n, true
}

// readPages adds a Query or Scan, what an LSI fetches from its table, and the
// second request for what a GSI lacks.
func (c *consumer) readPages(mode Consistency) {
	access := c.r.Access
	where := part(access.Index)
	n, counted := c.r.Evaluated.Get()
	queries := max(1, access.Queries)
	units, why, ok := c.pages(n, counted, queries, mode)
	if !ok {
		c.lack(gap{index: where}, "%s", c.pagesNeed(counted))
		return
	}
	if access.Index != nil && access.Index.Kind == table.LSI {
		why = fmt.Sprintf("LSI %q: %s", access.Index.DisplayName(), why)
	}
	c.addRead(where, units, why)
	if access.Fetch {
		c.fetch(n, counted, mode, "fetched from the table by the LSI")
	}
	if access.FetchBack {
		if returned, ok := c.p.Returns.Get(); ok {
			n, counted = returned, true
		} else if keeps, ok := c.p.Keeps.Get(); ok {
			n *= keeps
		}
		c.fetch(n, counted, mode, "got from the table by a second request")
	}
}

// pages is the units of the pages read, sent as parallel queries.
func (c *consumer) pages(n float64, counted bool, queries float64, mode Consistency) (units float64, why string, ok bool) {
	total, sized := c.r.Bytes.Get()
	if sized && counted && n > 0 {
		units = queries * PageUnits(n/queries, total/n, mode)
		return units, pagesText(n, total/n, total, queries, mode), true
	}
	if sized {
		return queries * ReadUnits(total/queries, mode), pagesText(0, 0, total, queries, mode), true
	}
	if !counted {
		return 0, "", false
	}
	// The planner had no sizes; the units may be the same for all it can be.
	entities, ok := c.entities()
	if !ok || len(entities) != 1 {
		return 0, "", false
	}
	s := table.EntrySpan(c.t, c.r.Access.Index, entities[0])
	units, ok = s.Units(func(b float64) float64 { return queries * PageUnits(n/queries, b, mode) })
	return units, pagesText(n, s.Hi, n*s.Hi, queries, mode), ok
}

// pagesNeed names what the size of the pages would need.
func (c *consumer) pagesNeed(counted bool) string {
	entities, ok := c.entities()
	switch {
	case !counted:
		return "the number of items it reads (returns, or count and distinct values)"
	case !ok:
		return "the size of the items it reads"
	}
	var needs []string
	for _, e := range entities {
		s := table.EntrySpan(c.t, c.r.Access.Index, e)
		for _, name := range s.Loose {
			if name != "item_size" {
				name = "size of " + name
			}
			needs = append(needs, fmt.Sprintf("%s of %q", name, nameOf(e)))
		}
	}
	if len(needs) == 0 { // all sizes are known, but not how many of each are read
		return "how many items of each entity it reads"
	}
	return list(needs)
}

// fetch adds n whole items of the table, each rounded up by itself.
func (c *consumer) fetch(n float64, counted bool, mode Consistency, how string) {
	if !counted {
		c.lack(gap{}, "the number of items it reads")
		return
	}
	if n == 0 {
		return
	}
	before := len(c.u.Parts)
	c.readItems(n, mode)
	for i := before; i < len(c.u.Parts); i++ {
		c.u.Parts[i].Why += ", " + how
	}
}

// pagesText is the arithmetic of readPages for people.
func pagesText(n, each, total, queries float64, mode Consistency) string {
	s := number(total) + " B"
	if n > 0 {
		s = fmt.Sprintf("%s %s × %s B = %s", number(n), plural(n, "item"), number(each), s)
	}
	if queries > 1 {
		s += fmt.Sprintf(" in %s queries", number(queries))
	}
	if perPage := max(1, math.Floor(PageBytes/each)); n/queries > perPage {
		return fmt.Sprintf("%s in pages of %s %s, %s", s, number(perPage), plural(perPage, "item"), mode)
	}
	s += fmt.Sprintf(" → %s KB", number(steps(total/queries, ReadUnitBytes)*ReadUnitBytes/1024))
	if queries > 1 {
		s += " each"
	}
	return s + ", " + mode.String()
}
