package rules

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// partition is how one entity fills the partition key of its table or of a GSI.
type partition struct {
	index  *table.Index // nil: the base table
	entity *table.Entity
	at     source.Span // the template, else the key attribute
	attr   string      // the first partition attribute
	text   string      // "STATUS#{status}"; several attributes are joined by " / "
	places []keyPlace  // what varies in it; none: a constant
	own    bool        // every item has a partition key value of its own
	needs  string      // why the use is not known; "" when it is
}

// keyPlace is one varying part of a key.
type keyPlace struct {
	name              string
	distinct, busiest source.Value[float64]
	boolean           bool
	shards            int    // of "{0..9}"; 0 for anything else
	period            period // whether its values are spans of time
}

// partitionsOf tells how each entity fills the partition key; nil where the key
// schema is not known.
func partitionsOf(t *table.Table, ix *table.Index) (uses []partition) {
	key := t.Key
	if ix != nil {
		key = ix.Key
	}
	if !key.Complete() {
		return nil
	}
	for _, e := range t.Entities.Items {
		if ix != nil && !fillsIndex(t, ix, e) {
			continue
		}
		u := partition{index: ix, entity: e, at: e.At}
		var texts []string
		for _, a := range key.Partition() {
			texts = append(texts, u.fill(e, a))
		}
		u.text = strings.Join(texts, " / ")
		u.own = ix == nil && constantSort(t, e)
		uses = append(uses, u)
	}
	return uses
}

// fill adds the places of one partition attribute and returns its text.
func (u *partition) fill(e *table.Entity, a table.Attribute) string {
	name, _ := a.Name.Get()
	if u.attr == "" {
		u.attr = name
	}
	text, ok := e.KeyTemplate(name)
	if !ok {
		if a.At.Known() && len(u.places) == 0 {
			u.at = a.At // a natural attribute: the key itself
		}
		u.places = append(u.places, u.placeOf(e, name))
		return name
	}
	tmpl, known := text.Get()
	if !known {
		u.needs = "the key template of " + quoted(name)
		return name
	}
	u.at = text.At
	names := templatePlaces(tmpl)
	whole := placeStats(e, name)
	if len(names) > 0 && (whole.distinct.Known() || whole.busiest.Known()) {
		// The attribute's own numbers say more than those of its parts.
		for _, n := range names {
			whole.period = max(whole.period, periodOf(n))
		}
		u.places = append(u.places, whole)
		return tmpl
	}
	for _, n := range names {
		u.places = append(u.places, u.placeOf(e, n))
	}
	return tmpl
}

func (u *partition) placeOf(e *table.Entity, name string) keyPlace {
	if n := shardRange(name); n > 0 {
		return keyPlace{name: name, shards: n}
	}
	pl := placeStats(e, name)
	pl.period = periodOf(name)
	if d, ok := pl.distinct.Get(); ok && shardName(name) {
		pl.shards = int(d)
	}
	return pl
}

func placeStats(e *table.Entity, name string) keyPlace {
	pl := keyPlace{name: name, distinct: table.StatOf(e.Distinct, name), busiest: table.StatOf(e.Busiest, name)}
	if a := e.Attribute(name); a != nil {
		pl.boolean = source.Is(a.Type, "BOOL")
	}
	return pl
}

// constantSort tells whether one partition key value holds at most one item of
// the entity.
func constantSort(t *table.Table, e *table.Entity) bool {
	sort := t.Key.Sort()
	if len(sort) == 0 {
		return true
	}
	name, _ := sort[0].Name.Get()
	text, ok := e.KeyTemplate(name)
	tmpl, known := text.Get()
	return ok && known && len(templatePlaces(tmpl)) == 0
}

// distinctValues bounds how many values the key takes; hi is infinite when
// nothing bounds it.
func (u *partition) distinctValues() (lo, hi float64) {
	lo, hi = 1, 1
	for _, pl := range u.places {
		d, known := pl.values()
		if known {
			lo = max(lo, d)
		} else {
			d = math.Inf(1)
		}
		hi *= d
	}
	if n, ok := u.entity.Count.Get(); ok && n > 0 {
		if u.own && math.IsInf(hi, 1) {
			lo = n // each item has a key value of its own
		}
		hi = min(hi, n)
	}
	return min(lo, hi), hi
}

func (pl keyPlace) values() (float64, bool) {
	switch d, ok := pl.distinct.Get(); {
	case pl.shards > 0:
		return float64(pl.shards), true
	case ok && d > 0:
		return d, true
	case pl.boolean:
		return 2, true
	}
	return 0, false
}

// busiestShare bounds the share of the traffic that meets one key value. The
// lower bound is the even spread where no share is declared; declared tells
// that some place has a declared share.
func (u *partition) busiestShare() (lo, hi float64, declared bool) {
	lo, hi = 1, 1
	for _, pl := range u.places {
		b, ok := pl.busiest.Get()
		if ok {
			declared = true
			hi = min(hi, b)
		} else if d, known := pl.values(); known {
			b = 1 / d
			if pl.shards > 0 {
				hi = min(hi, b)
			}
		}
		lo *= b // nothing known: no lower bound
	}
	return min(lo, hi), hi, declared
}

// timed tells whether a place of the key is a span of time by its template.
func (u *partition) timed() bool {
	return slices.ContainsFunc(u.places, func(pl keyPlace) bool { return pl.period == surePeriod })
}

// sharded tells whether the key carries a shard number.
func (u *partition) sharded() bool {
	return slices.ContainsFunc(u.places, func(pl keyPlace) bool { return pl.shards > 0 })
}

// names lists the varying parts, for "needs" lines.
func (u *partition) names() (names []string) {
	for _, pl := range u.places {
		names = append(names, pl.name)
	}
	return names
}

// subject is the attribute a finding is about: the place when there is one.
func (u *partition) subject() string {
	if len(u.places) == 1 && u.places[0].shards == 0 {
		return u.places[0].name
	}
	return u.attr
}

// where names the key for people: `partition key "status" of gsi "byStatus"`.
func (u *partition) where() string {
	if u.index == nil {
		return "partition key " + quoted(u.text)
	}
	return "gsi " + quoted(u.index.DisplayName()) + ": partition key " + quoted(u.text)
}

func (u *partition) indexName() string {
	if u.index == nil {
		return ""
	}
	return u.index.DisplayName()
}

var placeRE = regexp.MustCompile(`\{([^{}]*)\}`)

// templatePlaces lists the names between braces.
func templatePlaces(tmpl string) (names []string) {
	for _, m := range placeRE.FindAllStringSubmatch(tmpl, -1) {
		names = append(names, strings.TrimSpace(m[1]))
	}
	return names
}

var shardRE = regexp.MustCompile(`^(?:[A-Za-z_]\w*\s*[:=]\s*)?(\d{1,9})\.\.(\d{1,9})$`)

// shardRange is the number of shards of a place such as "0..9"; 0 when the
// place is none.
func shardRange(name string) int {
	m := shardRE.FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	from, _ := strconv.Atoi(m[1]) // nine digits at most
	to, _ := strconv.Atoi(m[2])
	return max(0, to-from+1)
}

func entityName(e *table.Entity) string {
	if e == nil {
		return "items"
	}
	if n, ok := e.Name.Get(); ok {
		return n
	}
	return "?"
}

// fillsIndex tells whether the entity's items have entries in the index, or may.
func fillsIndex(t *table.Table, ix *table.Index, e *table.Entity) bool {
	in, known := table.Enters(t, ix, e)
	return in || !known
}
