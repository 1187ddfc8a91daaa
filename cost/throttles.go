package cost

import (
	"fmt"
	"math"
	"strings"

	"ddbvet/internal/table"
)

// Bounds of what counts as standing at a capacity.
const (
	atCapShare   = 0.95 // of the capacity; CloudWatch's minutes are not exact
	hotShare     = 0.80 // below it a throttled minute was not short of table capacity
	atCapMinutes = 5    // consecutive minutes that count as sustained
)

// ThrottleHistory is what CloudWatch shows of throttling in one series.
// Throttle metrics are sent only when something happens, so a gap is none.
type ThrottleHistory struct {
	Given        bool    // whether there is a throttle series at all
	Events       float64 // throttled events; retries of one request count each
	Minutes      float64 // minutes with events (a coarse point counts at most one a minute and event)
	HotMinutes   float64 // of those, minutes of a hot key: said so by CloudWatch, or well below the capacity
	Uncapped     float64 // of those, minutes without a known capacity
	Censored     []Stretch
	AtCapMinutes int // minutes that stood at capacity, throttled or not, in sustained stretches
}

// Stretch is a run of minutes that stood at capacity while requests were
// throttled: demand above the capacity is unknown in it.
type Stretch struct {
	From, Minutes int
	Cap           float64 // units a second at its first minute
}

// CensoredMinutes is the length of all censored stretches.
func (h *ThrottleHistory) CensoredMinutes() (n int) {
	for _, s := range h.Censored {
		n += s.Minutes
	}
	return n
}

// leastUnits is the least one throttled request can have asked for: half a
// unit for an eventual read, one for a write (developer guide).
func leastUnits(dir Direction) float64 {
	if dir == ReadSide {
		return 0.5
	}
	return 1
}

// addThrottles finds where demand is hidden by a cap and adds to the demand
// what the throttled events asked for at least.
func (d *Demand) addThrottles(t *table.Table, m *table.Metrics, index string, dir Direction, s *SeriesDemand) {
	events, keyed := d.throttleEvents(m, index, dir)
	s.Throttles.Given = events != nil
	if events == nil && refusedThrottles(m, index, dir) {
		d.Doubts = append(d.Doubts, fmt.Sprintf("rows of throttled %ss of %s make no sense and are not used: whether it is throttled today is not known", dir, resourceName(index)))
	}
	capOf := capacityAt(t, index, dir, s)
	d.findCaps(s, events, capOf)
	h := &s.Throttles
	for i, e := range events {
		if !(e > 0) {
			continue
		}
		minute := math.Min(1, e*60)
		h.Events += e * 60
		h.Minutes += minute
		u := s.Units[i]
		if u != u {
			continue
		}
		switch c, ok := capOf(i); {
		case keyed != nil && keyed[i] > 0, ok && u < hotShare*c.least:
			h.HotMinutes += minute
		case !ok, c.least < c.most && u < atCapShare*c.most:
			h.Uncapped += minute
		}
		s.Units[i] = u + e*leastUnits(dir)
	}
	if n := h.CensoredMinutes(); n > 0 {
		d.note("%ss of %s stood at their capacity (%s units/s) for %d minutes with throttles: demand above it is unknown",
			dir, resourceName(index), count(h.Censored[0].Cap), n)
	} else if h.AtCapMinutes > 0 {
		d.note("%ss of %s stood at %.0f %% or more of their capacity for %d minutes", dir, resourceName(index), 100*atCapShare, h.AtCapMinutes)
	}
}

// refusedThrottles tells whether rows that were not used may be of throttled
// events.
func refusedThrottles(m *table.Metrics, index string, dir Direction) bool {
	return refused(m, index, func(metric string) bool {
		lower := strings.ToLower(metric)
		return strings.Contains(lower, string(dir)) && strings.Contains(lower, "throttle")
	})
}

// throttleEvents are the throttled events a second, all and those that
// CloudWatch lays to one key range; nil where there is no such series. Without
// the metric of all events, those of the four causes add up to it.
func (d *Demand) throttleEvents(m *table.Metrics, index string, dir Direction) (all, keyed []float64) {
	series := func(metric string) (out []float64) {
		if found := m.Find(index, dir.title()+metric+"ThrottleEvents", "Sum"); found != nil {
			out, _ = d.stitch(found.Points, true)
		}
		return out
	}
	all, keyed = series(""), series("KeyRangeThroughput")
	if all != nil {
		return all, keyed
	}
	for _, cause := range [][]float64{keyed, series("ProvisionedThroughput"), series("AccountLimit"), series("MaxOnDemandThroughput")} {
		if cause != nil && all == nil {
			all = make([]float64, d.Minutes)
		}
		for i, e := range cause {
			if e > 0 {
				all[i] += e
			}
		}
	}
	return all, keyed
}

// findCaps marks the sustained stretches at capacity, before throttled events
// are added to the units.
func (d *Demand) findCaps(s *SeriesDemand, events []float64, capOf func(int) (bounds, bool)) {
	from, throttled := -1, false
	end := func(i int) {
		if from >= 0 && i-from >= atCapMinutes {
			s.Throttles.AtCapMinutes += i - from
			if throttled {
				c, _ := capOf(from)
				s.Throttles.Censored = append(s.Throttles.Censored, Stretch{from, i - from, c.most})
			}
		}
		from, throttled = -1, false
	}
	for i, u := range s.Units {
		c, ok := capOf(i)
		if !ok || !(u >= atCapShare*c.most) || u == 0 {
			end(i)
			continue
		}
		if from < 0 {
			from = i
		}
		throttled = throttled || events != nil && events[i] > 0
	}
	end(len(s.Units))
}

// count prints a number of units without needless digits.
func count(x float64) string {
	if x == math.Trunc(x) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}
