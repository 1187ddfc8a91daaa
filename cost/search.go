package cost

// Bounds of the search for settings.
const (
	leastMaximum  = 10    // of auto scaling, the console's own; a lower one saves nothing
	sameMoney     = 1.001 // capacities this near cost the same: the safer setting wins
	clearlyDearer = 1.03  // twice in a row, and no higher minimum is looked at
	leastTarget   = 20    // percent, of Application Auto Scaling
	targetStep    = 5
)

// fit searches settings of one direction.
type fit struct {
	s       *study
	index   string
	sd      *SeriesDemand
	share   float64 // throttled share allowed
	minutes float64 // throttled minutes allowed in the window
	peak    float64
	units   float64          // demanded in the window
	found   map[int]fitFound // by target
}

// fitFound is the setting found for a target, and its mean capacity.
type fitFound struct {
	set  Setting
	mean float64
}

// fit prepares the search for series i: read and write of each resource in
// turn.
func (s *study) fit(i int) *fit {
	r := &s.demand.Resources[i/2]
	sd := &r.Read
	if i%2 == 1 {
		sd = &r.Write
	}
	f := &fit{s: s, index: r.Index, sd: sd, peak: sd.Peak(), share: s.in.Limits.ThrottledShare + s.todayShare(i), found: map[int]fitFound{}}
	for _, u := range sd.Units {
		if u == u {
			f.units += u * 60
		}
	}
	// The table's minutes are shared out, so that no sum of series exceeds them.
	week := (s.in.Limits.ThrottledMinutes + s.today) / float64(max(1, s.active()))
	f.minutes = week * s.demand.Coverage.Days / 7
	return f
}

// active is the number of series with any demand.
func (s *study) active() (n int) {
	for i := range s.demand.Resources {
		for _, dir := range []Direction{ReadSide, WriteSide} {
			if s.demand.Resources[i].side(dir).Peak() > 0 {
				n++
			}
		}
	}
	return n
}

// try simulates a setting on traffic × scale with so many seconds of burst at
// the start, and tells whether it keeps the limits. Where it does not, the
// mean is not to be used.
func (f *fit) try(set Setting, scale, burst float64) (mean float64, ok bool) {
	run := f.s.run(f.sd.Units, nil, scale)
	run.ReadSetting = set
	run.Rules.StartBurst = burst
	run.bounded, run.mayUnits, run.mayMinutes = true, f.share*f.units*scale, f.minutes
	o, _ := Simulate(&run)
	return o.MeanCapacity, o.ThrottledUnits <= run.mayUnits && float64(o.ThrottledMinutes) <= run.mayMinutes
}

func (f *fit) tryScaled(set Setting) (mean float64, ok bool) {
	return f.try(set, 1, f.s.in.Limits.Rules.StartBurst)
}

// fixed is the least fixed capacity that keeps the limits with the headroom
// of the highest target and without burst left over from before.
func (f *fit) fixed() Setting {
	scale := 100 / float64(f.s.in.Limits.MaxTarget)
	lo, hi := int64(0), max(1, CapacityFor(f.peak, f.s.in.Limits.MaxTarget))
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if _, ok := f.try(Setting{Units: mid}, scale, 0); ok {
			hi = mid
		} else {
			lo = mid
		}
	}
	return Setting{Units: hi}
}

// naive is auto scaling that may go down to one unit, as it is set when
// nobody looks. Its maximum holds the target on the highest minute with
// headroom.
func (f *fit) naive(target int) Setting {
	return Setting{Min: 1, Max: max(leastMaximum, CapacityFor(f.peak*f.s.in.Limits.Headroom, target)), Target: target}
}

// best is the cheapest auto scaling over the targets that may be recommended.
// From the highest downward, cost falls as long as headroom replaces a raised
// minimum and then grows for good.
func (f *fit) best() Setting {
	best := f.at(f.s.in.Limits.MaxTarget)
	if f.peak == 0 {
		return best.set
	}
	worse := 0
	for target := f.s.in.Limits.MaxTarget - targetStep; target >= leastTarget && worse < 3; target -= targetStep {
		if got := f.at(target); got.mean*sameMoney < best.mean {
			best, worse = got, 0
		} else {
			worse++
		}
	}
	return best.set
}

// scaled is the cheapest auto scaling at a target within the limits.
func (f *fit) scaled(target int) Setting { return f.at(target).set }

// at searches the minimum at a target. The maximum is not searched, because
// one that holds capacity below the target's at the peak is a higher target in
// disguise.
func (f *fit) at(target int) fitFound {
	if got, ok := f.found[target]; ok {
		return got
	}
	got := fitFound{f.naive(target), 1}
	if f.peak > 0 {
		got = f.minimum(got.set)
	}
	f.found[target] = got
	return got
}

// minimum is the cheapest minimum for a setting. Of minima that cost the same
// the highest wins, as it meets a sudden return of traffic.
func (f *fit) minimum(set Setting) fitFound {
	top := max(1, CapacityFor(f.peak, set.Target))
	mean, ok := f.tryScaled(set)
	if !ok {
		set.Min, mean = f.leastSafe(set, top)
	}
	best := f.raise(fitFound{set, mean}, top)
	// A higher minimum can cost less: it leaves decreases for later hours.
	dearer, cheaper := 0, best
	for m := best.set.Min + 1 + best.set.Min/8; m < top && dearer < 2; m += 1 + m/8 {
		switch got, ok := f.tryScaled(set.from(m)); {
		case ok && got < cheaper.mean:
			cheaper, dearer = fitFound{set.from(m), got}, 0
		case got > cheaper.mean*clearlyDearer:
			dearer++
		}
	}
	if cheaper.mean*sameMoney < best.mean {
		return f.raise(cheaper, top)
	}
	return best
}

// raise is the highest minimum that costs the same.
func (f *fit) raise(from fitFound, top int64) fitFound {
	lo, hi := from.set.Min, top
	for hi-lo > lo/100 {
		mid := lo + (hi-lo+1)/2
		if m, ok := f.tryScaled(from.set.from(mid)); ok && m <= from.mean*sameMoney {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return fitFound{from.set.from(lo), from.mean}
}

func (s Setting) from(minimum int64) Setting {
	s.Min = minimum
	return s
}

// leastSafe is the lowest minimum in (set.Min, top] that keeps the limits: the
// first of a geometric ladder that does, then bisected. At top, the capacity
// of the highest minute, nothing throttles.
func (f *fit) leastSafe(set Setting, top int64) (int64, float64) {
	bad, good, mean := set.Min, top, 0.0
	for m := set.Min + 1 + set.Min/2; m < top; m += 1 + m/2 {
		got, ok := f.tryScaled(set.from(m))
		if ok {
			good, mean = m, got
			break
		}
		bad = m
	}
	for good-bad > max(1, good/500) {
		mid := (good + bad) / 2
		if got, ok := f.tryScaled(set.from(mid)); ok {
			good, mean = mid, got
		} else {
			bad = mid
		}
	}
	if good == top {
		mean, _ = f.tryScaled(set.from(top))
	}
	return good, mean
}
