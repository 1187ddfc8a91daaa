package cost

import "math"

// Bounds of the search for settings.
const (
	leastMaximum = 10    // of auto scaling, the console's own; a lower one saves nothing
	sameMoney    = 1.001 // capacities this near cost the same: the safer setting wins
)

// fit searches settings of one direction.
type fit struct {
	s       *study
	sd      *SeriesDemand
	share   float64 // throttled share allowed
	minutes float64 // throttled minutes allowed in the window
	peak    float64
}

func (s *study) fit(i int) fit {
	r := &s.demand.Resources[i/2]
	sd := &r.Read
	if i%2 == 1 {
		sd = &r.Write
	}
	f := fit{s: s, sd: sd, peak: sd.Peak(), share: s.in.Limits.ThrottledShare + s.todayShare(i)}
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

func (f fit) try(set Setting, scale, burst float64) (mean float64, ok bool) {
	run := f.s.run(f.sd.Units, nil, scale)
	run.ReadSetting = set
	run.Rules.StartBurst = burst
	o, _ := Simulate(&run)
	return o.MeanCapacity, o.Share() <= f.share && float64(o.ThrottledMinutes) <= f.minutes
}

func (f fit) tryScaled(set Setting) (mean float64, ok bool) {
	return f.try(set, 1, f.s.in.Limits.Rules.StartBurst)
}

// fixed is the least fixed capacity that keeps the limits with the headroom
// of the highest target and without burst left over from before.
func (f fit) fixed() Setting {
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
// nobody looks.
func (f fit) naive(target int) Setting {
	return Setting{Min: 1, Max: f.fullMax(target), Target: target}
}

// fullMax is where auto scaling ends up on the highest minute with headroom.
func (f fit) fullMax(target int) int64 {
	return max(leastMaximum, CapacityFor(f.peak*f.s.in.Limits.Headroom, target))
}

// scaled is the cheapest auto scaling at a target within the limits. The
// minimum is searched; the maximum is not, because one that holds capacity
// below the target at the peak is a higher target in disguise. Of minima that
// cost the same the highest wins, as it meets a sudden return of traffic.
func (f fit) scaled(target int) Setting {
	set := f.naive(target)
	top := max(1, CapacityFor(f.peak, target))
	mean, ok := f.tryScaled(set)
	if !ok {
		// Cost and safety grow with the minimum; where top is the peak's own
		// capacity nothing throttles.
		set.Min, mean = f.leastSafe(set, top)
	}
	lo, hi := set.Min, top
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		try := set
		try.Min = mid
		if m, ok := f.tryScaled(try); ok && m <= mean*sameMoney {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	set.Min = lo
	return set
}

// leastSafe is the lowest minimum in (set.Min, top] that keeps the limits: the
// first of a geometric ladder that does, then bisected.
func (f fit) leastSafe(set Setting, top int64) (int64, float64) {
	bad, good, mean := set.Min, top, float64(top)
	for m := float64(set.Min) * 1.5; int64(math.Ceil(m)) < top; m *= 1.5 {
		try := set
		try.Min = int64(math.Ceil(m))
		if got, ok := f.tryScaled(try); ok {
			good, mean = try.Min, got
			break
		}
		bad = try.Min
	}
	for good-bad > max(1, good/500) {
		try := set
		try.Min = (good + bad) / 2
		if got, ok := f.tryScaled(try); ok {
			good, mean = try.Min, got
		} else {
			bad = try.Min
		}
	}
	if good == top {
		try := set
		try.Min = top
		mean, _ = f.tryScaled(try)
	}
	return good, mean
}
