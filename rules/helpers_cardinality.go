package rules

import (
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// fewValues is the number of distinct values under which a partition key is
// said to have few.
const fewValues = 100

// sampleItems is how many items must have been looked at before a small number
// of distinct values says anything.
const sampleItems = 100

// heatOf is the load on the busiest value of a partition, and where the share
// comes from. Where no share is declared it is the even spread, the least that
// the busiest value can take; new items of a lifecycle all start at one value.
func (u *partition) heatOf(tr traffic) (h heat, how string) {
	share, _, declared := u.busiestShare()
	h = tr.heat(share)
	switch _, values := u.distinctValues(); {
	case declared:
		how = "the busiest value takes " + percent(share) + " of the traffic"
	case values == 1:
	case u.lifecycle() && tr.inserts > 0:
		h.write = tr.inserts + (tr.write-tr.inserts)*share
		h.possible = h.write + tr.extra*share
		how = "new items all start at one value"
	default:
		how = "an even spread over " + counted(values, "value") + " is assumed and the busiest takes more"
	}
	return h, how
}

// lifecycle tells whether the key is one state that every new item begins in.
func (u *partition) lifecycle() bool {
	return len(u.places) == 1 && lifecycleName(u.places[0].name)
}

// onlyBoolean tells whether the few values are known from a type alone.
func (u *partition) onlyBoolean() bool {
	return slices.ContainsFunc(u.places, func(pl keyPlace) bool { return pl.boolean && !pl.distinct.Known() })
}

// hinted tells whether every varying part is named like a flag or short list.
func (u *partition) hinted() bool {
	return len(u.places) > 0 && !slices.ContainsFunc(u.places, func(pl keyPlace) bool { return !fewValuesName(pl.name) })
}

// reportFew reports a partition key with few values, as severe as its load.
func (p *Pass) reportFew(u *partition, known Known) {
	tr := p.keyTraffic(u.index, u.entity)
	h, how := u.heatOf(tr)
	_, values := u.distinctValues()
	if u.own && h.severity() == Note {
		return // a short table of single items
	}
	msg := u.where() + " has " + counted(values, "value")
	if n := entityName(u.entity); n != "?" {
		msg += " for " + quoted(n)
	}
	if how != "" {
		msg += ", " + how
	}
	p.Report(Finding{
		Severity: h.severity(), Known: known, At: u.at,
		Index: u.indexName(), Attribute: u.subject(), Entity: entityName(u.entity),
		Message: msg + ": " + h.text() + u.pressure(p.Table, h),
		Fix:     spreadFix(u, h),
		Numbers: append([]Number{{"distinct_values", values}}, h.numbers()...),
	})
}

// pressure says what a hot index does to its table.
func (u *partition) pressure(t *table.Table, h heat) string {
	if u.index == nil || h.severity() == Note {
		return ""
	}
	return "; throttled index writes push back on writes to the base table " + quoted(t.DisplayName())
}

// spreadFix is the advice for a hot key. A change of the capacity mode is
// never part of it: one key value serves the same in both modes. Where the load
// is harmless nothing is to be done yet.
func spreadFix(u *partition, h heat) string {
	n := h.shards()
	shards, suffix := number(n), u.text+"#{0.."+number(n-1)+"}"
	var fix string
	switch {
	case u.index == nil && u.own && h.readFirst():
		fix = "cache the reads of the busy item, or keep " + shards + " copies of it, " + suffix + ", and read one of them."
	case u.index == nil:
		fix = "use a partition key with many values (an entity's id), or add a shard suffix, " + suffix + ", and read the " + shards + " shards with as many queries."
	case source.Is(u.index.Sparse, true):
		fix = "spread the index key: a shard suffix (" + shards + " shards, read with as many queries), or a composite key such as status and bucket."
	default:
		fix = "spread the index key: a shard suffix (" + shards + " shards, read with as many queries), a sparse index that holds only the items that are looked for, or a composite key such as status and bucket."
	}
	if h.severity() == Note {
		fix = "Nothing to do at this load. Should it come near the limit, " + fix
	}
	return strings.ToUpper(fix[:1]) + fix[1:] + " The limit of one key value is the same in both capacity modes."
}

// undecidedFew says what would decide whether the key has few values. A key
// whose whole load is harmless needs no decision, nor one that each item has
// for itself.
func (p *Pass) undecidedFew(u *partition) {
	lo, _ := u.distinctValues()
	if lo >= fewValues || u.own || u.needs == "" && u.declaredValues() {
		return
	}
	if u.needs != "" {
		p.Skip(keySubject(u), u.needs)
		return
	}
	tr := p.keyTraffic(u.index, u.entity)
	if len(tr.unrated)+len(tr.unread) > 0 || tr.heat(1).severity() > Note || tr.heat(1).fraction() >= 0.1 {
		p.Skip(keySubject(u), "distinct values of "+unknownPlaces(u))
	}
}

// keySubject names a key in a skip: its index, else its attribute.
func keySubject(u *partition) string {
	if u.index != nil {
		return u.index.DisplayName()
	}
	return u.attr
}

func unknownPlaces(u *partition) string {
	var names []string
	for _, pl := range u.places {
		if _, ok := pl.values(); !ok {
			names = append(names, pl.name)
		}
	}
	return quotedList(names)
}

// hint reports a key that only its name makes suspicious.
func (p *Pass) hint(ix *table.Index, names []string, at source.Span, entity string) {
	where, index := "partition key ", ""
	if ix != nil {
		index = ix.DisplayName()
		where = "gsi " + quoted(index) + ": partition key "
	}
	p.Report(Finding{
		Known: Heuristic, At: at, Index: index, Attribute: names[0], Entity: entity,
		Message: where + quotedList(names) + " is named like a flag or a short list of values; its distinct values are not stated (aim for 100 or more)",
	})
}

// sampledFew returns the profile of the key's attribute where enough items
// were looked at and they have few values.
func sampledFew(t *table.Table, key table.Key) *table.KeyProfile {
	parts := key.Partition()
	if t.Profile == nil || t.Profile.Illustrative() || len(parts) != 1 || t.Profile.Items < sampleItems {
		return nil
	}
	name, _ := parts[0].Name.Get()
	k := t.Profile.Key(name)
	if k == nil || k.Distinct < 1 || k.Distinct >= fewValues {
		return nil
	}
	return k
}

// sampledHeat is the load by the sample's most frequent value.
func (p *Pass) sampledHeat(ix *table.Index, k *table.KeyProfile) heat {
	return p.keyTraffic(ix, nil).heat(max(k.TopShare, 1/float64(k.Distinct)))
}

// declaredValues tells whether the distinct values of every part are known.
func (u *partition) declaredValues() bool {
	return !slices.ContainsFunc(u.places, func(pl keyPlace) bool { _, ok := pl.values(); return !ok })
}
