package plan

// others lists the ways that serve the pattern's key condition beside the
// chosen one, then the indexes that its filter would find, then a GSI that
// serves with a second request for what it lacks.
func (q *query) others(chosen *outcome) (out []*Access) {
	var back []*Access
	for _, v := range q.ways() {
		same := chosen != nil && chosen.v.ix == v.ix
		if same && chosen.ok() {
			continue
		}
		o := q.query(v, q.key)
		if len(o.needs) == 0 {
			q.order(o)
		}
		switch {
		case o.ok() && !same:
			o.access.Exact = q.p.Filter.Absent()
			if !o.access.Exact && q.filteredKey(v) {
				continue // the filter names its key: byFilter looks at it
			}
			out = append(out, o.access)
		case o.onlyLacks():
			o.access.Exact = q.p.Filter.Absent()
			back = append(back, o.access)
		}
	}
	return append(append(out, q.byFilter(chosen)...), back...)
}

// filteredKey tells whether the filter names a key attribute of the view.
func (q *query) filteredKey(v *view) bool {
	for _, m := range q.filtered {
		if v.has(m.Attr) {
			return true
		}
	}
	return false
}

// byFilter lists the ways whose partition the filter (with the key condition)
// gives by equality: a Query there replaces filtering. The partition alone is
// enough; Exact tells that nothing is left to filter.
func (q *query) byFilter(chosen *outcome) (out []*Access) {
	if len(q.usable) == 0 {
		return nil
	}
	conds := append([]cond{}, q.key...)
	for _, c := range q.usable {
		if find(conds, c.Attr) == nil {
			conds = append(conds, c)
		}
	}
	for _, v := range q.ways() {
		if len(v.needs) > 0 || chosen != nil && chosen.v.ix == v.ix || q.strong && v.isGSI() {
			continue
		}
		use, byFilter := q.longest(v, conds)
		if len(use) == 0 || !byFilter {
			continue
		}
		o := q.query(v, use)
		if !o.ok() && !o.onlyLacks() {
			continue
		}
		o.access.Exact = len(use) == len(conds) && !q.rest
		out = append(out, o.access)
	}
	return out
}

// longest picks the conditions that a key condition on the view can hold: all
// of the partition, then sort attributes from the left up to one range. The
// second result tells that the filter gave one of them.
func (q *query) longest(v *view, conds []cond) (use []cond, byFilter bool) {
	take := func(c *cond) {
		use = append(use, *c)
		byFilter = byFilter || find(q.key, c.Attr) == nil
	}
	for _, a := range v.Partition {
		c := find(conds, a.Name)
		if c == nil || c.isRange() {
			return nil, false
		}
		take(c)
	}
	for _, a := range v.Sort {
		c := find(conds, a.Name)
		if c == nil {
			break
		}
		take(c)
		if c.isRange() {
			break
		}
	}
	return use, byFilter
}
