package cost

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Part is what one call consumes of the table or of one index. Units are
// request units, which are the same number as capacity unit-seconds.
type Part struct {
	Index       string // "" for the table; LSIs are inside the table
	Read, Write float64
	Why         string // the arithmetic for people: "25 items × 600 B = 15,000 B → 16 KB, eventual"
}

// Usage is what one call of a pattern consumes everywhere. Where Unknown is
// not empty the parts are not the whole and must not be summed into a total.
type Usage struct {
	Parts   []Part
	Unknown []string // what would have to be declared

	gaps []gap // where the unknown units are consumed
}

// gap is a place whose units could not be computed.
type gap struct {
	index string
	write bool
}

// Units is the sum of the parts in one Region, and whether that is the whole.
func (u Usage) Units() (read, write float64, known bool) {
	for _, p := range u.Parts {
		read += p.Read
		write += p.Write
	}
	return read, write, len(u.Unknown) == 0
}

// Consume computes the usage of one call of a planned pattern by the rules of
// the developer guide, index writes included. Sizes are typical ones (see
// ItemBytes). PutItem and the items of batches and transactions count as
// inserts, but as updates in a transaction that declares what it sets. Of
// several entities in one batch each has an even share of the items. A write
// is counted in the Region it is sent to; BillOf adds the replicas.
func Consume(t *table.Table, r *plan.Result) Usage {
	c := consumer{t: t, r: r, p: r.Pattern}
	op, ok := r.Pattern.Operation.Get()
	switch {
	case !ok:
		c.lack(gap{}, "operation")
		c.gap(gap{write: true})
	case r.State != plan.Served || r.Access == nil:
		c.unserved(table.Writes(op))
	case table.Writes(op):
		c.write(op)
	default:
		c.read(op)
	}
	return c.u
}

type consumer struct {
	t *table.Table
	r *plan.Result
	p *table.Pattern
	u Usage
}

func (c *consumer) gap(g gap) {
	if !slices.Contains(c.u.gaps, g) {
		c.u.gaps = append(c.u.gaps, g)
	}
}

// lack records something that would have to be declared, once.
func (c *consumer) lack(g gap, format string, args ...any) {
	c.gap(g)
	if s := fmt.Sprintf(format, args...); !slices.Contains(c.u.Unknown, s) {
		c.u.Unknown = append(c.u.Unknown, s)
	}
}

func (c *consumer) unserved(write bool) {
	index, _ := c.p.Index.Get()
	if ix := c.t.IndexNamed(index); ix != nil {
		index = part(ix)
	}
	g := gap{index: index, write: write}
	if write {
		g.index = ""
		c.gapWrites()
	}
	switch {
	case len(c.r.Needs) > 0:
		c.lack(g, "%s", strings.Join(c.r.Needs, ", "))
	case len(c.r.Faults) > 0:
		c.lack(g, "a pattern that is served (%s)", c.r.Faults[0].Message)
	default:
		c.lack(g, "a pattern that is served")
	}
}

// entities lists the declared entities that the pattern is about.
func (c *consumer) entities() (out []*table.Entity, known bool) {
	names := c.p.Entities.Items
	if !c.p.Entity.Absent() {
		names = []source.Value[string]{c.p.Entity}
	}
	for _, v := range names {
		name, ok := v.Get()
		e := c.t.EntityNamed(name)
		if !ok || e == nil {
			return nil, false
		}
		out = append(out, e)
	}
	if all := c.t.Entities; len(out) == 0 && len(all.Items) == 1 && all.Complete() {
		return all.Items, true // the only one there is
	}
	return out, len(out) > 0 && c.p.Entities.Complete()
}

// items is how many items one call of a batch or transaction holds.
func (c *consumer) items() (n float64, known bool) {
	if n, ok := c.p.Returns.Get(); ok {
		return n, true
	}
	if n, ok := c.r.Evaluated.Get(); ok && c.p.Returns.Absent() {
		return n, true
	}
	n = float64(len(c.p.Entities.Items))
	return n, n > 0 && c.p.Returns.Absent() && c.p.Entities.Complete()
}

// part is where the units of an index are charged: an LSI's to its table.
func part(ix *table.Index) string {
	if ix == nil || ix.Kind == table.LSI {
		return ""
	}
	return ix.DisplayName()
}
