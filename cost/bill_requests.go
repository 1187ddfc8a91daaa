package cost

import "slices"

// arm is a place whose units are charged by themselves: the table ("") or a
// GSI, read or written.
type arm struct {
	index string
	write bool
}

func (a arm) noun() string {
	noun := "reads"
	if a.write {
		noun = "writes"
	}
	if a.index == "" {
		return noun + " of the table"
	}
	return noun + " of " + a.index
}

// arms lists the table's arms and those of its GSIs.
func (b *biller) arms() []arm {
	out := []arm{{"", false}, {"", true}}
	for _, ix := range b.t.GSIs.Items {
		out = append(out, arm{ix.DisplayName(), false}, arm{ix.DisplayName(), true})
	}
	return out
}

// on is the units of one call on an arm, and whether the call touches the arm
// at all.
func (u use) on(a arm) (units amount, touched bool) {
	units.known = !slices.Contains(u.gaps, gap(a))
	for _, p := range u.Parts {
		n := p.Read
		if a.write {
			n = p.Write
		}
		if p.Index == a.index {
			add := exactly(n)
			units = amount{units.Add(add.Decimal), units.known && add.known}
		}
	}
	return units, !units.known || units.IsPositive()
}

// rate is the calls a second of a pattern on average.
func (u use) rate() amount {
	rate, ok := u.pattern.Average.Get()
	if !ok {
		return amount{}
	}
	return exactly(rate)
}

// requests adds request units on demand: rate × units × seconds of the month,
// a line for each pattern and index.
func (b *biller) requests() {
	if len(b.uses) == 0 {
		for _, a := range b.arms() {
			b.requestLines(a, "", amount{})
			b.unknown("%s: no access pattern is declared", a.noun())
		}
		return
	}
	for _, u := range b.uses {
		rate := u.rate()
		if !rate.known {
			b.unknown("%q: no rate is declared", u.name())
		}
		for _, need := range u.Unknown {
			b.unknown("%q: needs %s", u.name(), need)
		}
		for _, a := range b.arms() {
			if units, touched := u.on(a); touched {
				b.requestLines(a, u.name(), units.times(rate).times(whole(b.month.seconds)))
			}
		}
	}
}

// requestLines adds the lines of one arm: reads where the table is read, writes
// in every Region. Only the table's own arm is replicated; the writes that
// replication makes on a GSI are ordinary ones. A transaction is priced as
// doubled in every Region, the larger of what sources say.
func (b *biller) requestLines(a arm, pattern string, q amount) {
	if !a.write {
		b.line(b.at[0], Reads, OnDemandRead, a.index, pattern, q)
		return
	}
	for _, at := range b.at {
		if b.replicated && a.index == "" {
			b.line(at, ReplicatedWrites, OnDemandReplicatedWrite, a.index, pattern, q)
		} else {
			b.line(at, Writes, OnDemandWrite, a.index, pattern, q)
		}
	}
}
