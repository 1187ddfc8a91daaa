package rules

import (
	"math"
	"slices"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// What one partition serves in a second. Source: "Best practices for designing
// and using partition keys effectively", DynamoDB Developer Guide.
const (
	partitionWCU = 1000
	partitionRCU = 3000
)

// traffic is what the declared patterns do to one entity in the table or in
// one index: units a second at their peaks, together.
type traffic struct {
	write   float64  // certain; patterns of unknown rate or size may add to it
	inserts float64  // the part of write that makes new items
	deletes float64  // the part of write that removes items
	extra   float64  // calls a second of which it is not known whether they write here
	read    float64  // by key; Scans meet every key alike
	writers []string // patterns that write the entity
	readers []string // patterns that read it by this key
	// unsure names what the write rate lacks; empty when it is whole.
	unsure []string
	// unrated is the part of unsure that is about rates: who writes, how often.
	unrated []string
	// unread names what the read rate lacks.
	unread []string
}

// trafficOn adds up the patterns that touch an entity through its table (nil)
// or an index.
func (p *Pass) trafficOn(ix *table.Index, e *table.Entity) (tr traffic) {
	for i := range p.Plans {
		r := &p.Plans[i]
		op, known := r.Pattern.Operation.Get()
		touched, sure := p.touches(r, e)
		switch {
		case !known || !touched:
		case !sure && table.Writes(op):
			tr.writers = append(tr.writers, patternName(r.Pattern))
			tr.lackRate("the entity that " + quoted(patternName(r.Pattern)) + " writes")
		case !sure:
			tr.unread = append(tr.unread, "the entity that "+quoted(patternName(r.Pattern))+" reads")
		case table.Writes(op):
			tr.addWrite(p.Table, ix, r, op)
		default:
			tr.addRead(p.Table, ix, r)
		}
	}
	if len(tr.writers) == 0 && !p.reference(e) {
		tr.lackRate("a pattern that writes " + quoted(entityName(e)))
	}
	return tr
}

// keyTraffic is trafficOn with, for the base table, the reads of its local
// indexes, whose entries lie in the same partitions.
func (p *Pass) keyTraffic(ix *table.Index, e *table.Entity) traffic {
	tr := p.trafficOn(ix, e)
	if ix == nil {
		for _, lsi := range p.Table.LSIs.Items {
			through := p.trafficOn(lsi, e)
			tr.read += through.read
			tr.readers = append(tr.readers, through.readers...)
			tr.unread = append(tr.unread, through.unread...)
		}
	}
	return tr
}

func (tr *traffic) lackRate(what string) {
	tr.unsure = append(tr.unsure, what)
	tr.unrated = append(tr.unrated, what)
}

// touches tells whether a pattern is about an entity (nil: any), and whether
// that is sure: a pattern that names no entity may be about each of several.
func (p *Pass) touches(r *plan.Result, e *table.Entity) (touched, sure bool) {
	if e == nil {
		return true, true
	}
	name, ok := e.Name.Get()
	named := false
	for _, v := range append(slices.Clone(r.Pattern.Entities.Items), r.Pattern.Entity) {
		named = named || !v.Absent()
		if ok && source.Is(v, name) {
			return true, true
		}
	}
	return !named, len(p.Table.Entities.Items) == 1
}

// referenceItems is how many items a kind that nobody is declared to write may
// have to be taken for reference data.
const referenceItems = 1000

// reference tells whether an entity is reference data: patterns are declared,
// none writes it, it does not grow and it has few items.
func (p *Pass) reference(e *table.Entity) bool {
	if e == nil {
		return false
	}
	n, known := e.Count.Get()
	return known && n <= referenceItems && !e.Growth.Known() && !e.Growth.Unresolved() && len(p.Plans) > 0
}

func (tr *traffic) addWrite(t *table.Table, ix *table.Index, r *plan.Result, op string) {
	name := patternName(r.Pattern)
	units, sure := writeUnits(t, ix, r, op)
	if units == 0 && sure {
		return // the pattern leaves this index alone
	}
	tr.writers = append(tr.writers, name)
	if !sure {
		tr.unsure = append(tr.unsure, "what one call of "+quoted(name)+" writes")
	}
	rate, known := peakRate(r.Pattern)
	if !known {
		tr.lackRate("the rate of " + quoted(name))
		return
	}
	tr.write += units * rate
	switch {
	case units == 0:
		tr.extra += rate * callItems(r.Pattern, op)
	case op == table.PutItem, op == table.BatchWriteItem:
		tr.inserts += units * rate
	case op == table.DeleteItem:
		tr.deletes += units * rate
	}
}

func (tr *traffic) addRead(t *table.Table, ix *table.Index, r *plan.Result) {
	if r.Access == nil || r.Access.Index != ix || r.Access.Method == table.Scan {
		return
	}
	name := patternName(r.Pattern)
	tr.readers = append(tr.readers, name)
	usage := cost.Consume(t, r)
	units := 0.0
	for _, part := range usage.Parts {
		units += part.Read
	}
	if len(usage.Unknown) > 0 {
		tr.unread = append(tr.unread, usage.Unknown...)
		units = max(units, 0.5*max(1, r.Access.Queries))
	}
	rate, known := peakRate(r.Pattern)
	if !known {
		tr.unread = append(tr.unread, "the rate of "+quoted(name))
		return
	}
	// Parallel queries over shards meet a different key value each.
	tr.read += units * rate / max(1, r.Access.Queries)
}

// writeUnits is what one call writes to the table or an index, of each of the
// entities that it names. Where sure is false it is the least that it can write.
func writeUnits(t *table.Table, ix *table.Index, r *plan.Result, op string) (units float64, sure bool) {
	index := ""
	if ix != nil {
		index = ix.DisplayName()
	}
	usage := cost.Consume(t, r)
	parts := 0
	for _, part := range usage.Parts {
		if part.Index == index {
			units += part.Write
			parts++
		}
	}
	kinds := max(1, len(r.Pattern.Entities.Items))
	units /= float64(kinds)
	whole := parts == kinds && (ix != nil || len(t.LSIs.Items) == 0)
	if len(usage.Unknown) == 0 || whole {
		return units, true
	}
	if ix == nil || op == table.PutItem && entersFor(t, ix, r) {
		units = max(units, callItems(r.Pattern, op)/float64(kinds))
	}
	return units, false
}

// entersFor tells whether what the pattern puts is sure to have an entry in the
// index, as the items of a sparse index need not.
func entersFor(t *table.Table, ix *table.Index, r *plan.Result) bool {
	e := entityOf(t, r.Pattern)
	if e == nil {
		return len(t.Entities.Items) == 0 && !source.Is(ix.Sparse, true)
	}
	in, known := table.Enters(t, ix, e)
	return in && known
}

// callItems is the items one call writes, as far as declared; at least one.
func callItems(pt *table.Pattern, op string) float64 {
	if op == table.BatchWriteItem || op == table.TransactWriteItems {
		if n, ok := pt.Returns.Get(); ok {
			return max(1, n)
		}
	}
	return 1
}

// peakRate is a pattern's calls a second at its peak: the declared peak, else
// the average.
func peakRate(pt *table.Pattern) (float64, bool) {
	if v, ok := pt.Peak.Get(); ok {
		return v, true
	}
	return pt.Average.Get()
}

// averageRate is a pattern's calls a second over a month: the declared
// average, else the peak, which it cannot exceed.
func averageRate(pt *table.Pattern) (float64, bool) {
	if v, ok := pt.Average.Get(); ok {
		return v, true
	}
	return pt.Peak.Get()
}

func patternName(pt *table.Pattern) string {
	if n, ok := pt.Name.Get(); ok {
		return n
	}
	return "?"
}

// heat is the load on the busiest value of a key.
type heat struct {
	write, read float64  // units a second, the least there are
	possible    float64  // write, if every call of unknown size wrote one unit
	vague       bool     // what some call writes is not known
	unsure      []string // what the write rate lacks
}

// heat is the traffic's load on a key value that takes the share of it.
func (tr traffic) heat(share float64) heat {
	return heat{
		write: tr.write * share, read: tr.read * share, possible: (tr.write + tr.extra) * share,
		vague: len(tr.unsure) > len(tr.unrated), unsure: tr.unrated,
	}
}

// add is both loads on one value.
func (h heat) add(o heat) heat {
	return heat{
		h.write + o.write, h.read + o.read, h.possible + o.possible, h.vague || o.vague, append(slices.Clone(h.unsure), o.unsure...),
	}
}

// fraction is the load as a share of what one partition serves.
func (h heat) fraction() float64 { return max(h.write/partitionWCU, h.read/partitionRCU) }

// severity follows the numbers: a whole partition is an error, half of one a
// warning, less a note. A rate that is not known is a warning at least, and so
// is a write of unknown size from a tenth of a partition.
func (h heat) severity() Severity {
	sev := Note
	switch f := h.fraction(); {
	case f >= 1:
		sev = Error
	case f >= 0.5:
		sev = Warning
	}
	if len(h.unsure) > 0 || h.vague && h.possible/partitionWCU >= 0.1 {
		sev = max(sev, Warning)
	}
	return sev
}

// text is the load against its limit.
func (h heat) text() string {
	switch {
	case h.write == 0 && h.fraction() < 0.5 && len(h.unsure) > 0:
		return "the write rate is not known; one key value serves at most 1,000 WCU/s and 3,000 RCU/s"
	case h.readFirst():
		return "a peak of " + number(h.read) + " RCU/s meets one key value (limit 3,000 RCU/s a partition)"
	case h.vague && h.write == 0:
		return number(h.possible) + " calls/s may write one key value (limit 1,000 WCU/s a partition); what each call writes is not known"
	case h.vague && h.possible > h.write:
		return "a peak of at least " + number(h.write) + " WCU/s meets one key value (limit 1,000 WCU/s a partition) and " +
			number(h.possible-h.write) + " calls/s more may write it; what each call writes is not known"
	case h.vague:
		return "a peak of at least " + number(h.write) + " WCU/s meets one key value (limit 1,000 WCU/s a partition), and what each call writes is not known"
	case len(h.unsure) > 0:
		return "a peak of at least " + number(h.write) + " WCU/s meets one key value (limit 1,000 WCU/s a partition), and not every rate is known"
	}
	return "a peak of " + number(h.write) + " WCU/s meets one key value (limit 1,000 WCU/s a partition)"
}

// numbers are the load's facts for machines.
func (h heat) numbers() []Number {
	out := []Number{{"limit_wcu", partitionWCU}, {"limit_rcu", partitionRCU}}
	if h.write > 0 || len(h.unsure) == 0 && !h.vague {
		out = append(out, Number{"peak_key_wcu", h.write})
	}
	if h.read > 0 {
		out = append(out, Number{"peak_key_rcu", h.read})
	}
	return out
}

// readFirst tells whether reads are nearer to the limit than writes.
func (h heat) readFirst() bool {
	return h.read/partitionRCU > max(h.write, h.possible)/partitionWCU
}

// shards is the shards that the load needs with headroom (80 % of a partition
// each), two at least.
func (h heat) shards() float64 {
	return max(2, math.Ceil(h.write/(0.8*partitionWCU)), math.Ceil(h.read/(0.8*partitionRCU)))
}
