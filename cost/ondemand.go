package cost

// surgeMinutes is the time over which on-demand capacity doubles: traffic
// above twice the previous peak within it may throttle (developer guide).
const surgeMinutes = 30

// What a new on-demand table serves at once, units a second (developer guide).
const (
	onDemandStartRead  = 12_000
	onDemandStartWrite = 4_000
)

// OnDemandOutcome is what one direction meets on demand. Units are request
// units.
type OnDemandOutcome struct {
	MeanUnits        float64 // units a second over the known minutes from From on
	DemandedUnits    float64 // in all known minutes
	ThrottledUnits   float64 // above the table's own maximum
	ThrottledMinutes int
	KnownMinutes     int
	SurgeMinutes     int // above what can be served at once: a warning, not money
	FirstSurge       int // minute of the first; -1: none
}

// OnDemand runs one direction on demand. Max is the table's own maximum in
// units a second, 0 for none; atOnce is what it serves at once whatever its
// past, its warm throughput or the service's default. Throttled, where not
// nil, is set true in minutes above the maximum.
func OnDemand(units []float64, scale float64, from int, maximum, atOnce int64, throttled []bool) OnDemandOutcome {
	o := OnDemandOutcome{FirstSurge: -1}
	counted, sum := 0, 0.0
	peak := 0.0 // highest minute up to surgeMinutes ago
	for t, u := range units {
		u *= scale
		if past := t - surgeMinutes; past >= 0 && units[past]*scale > peak {
			peak = units[past] * scale
		}
		if u != u { // unknown
			continue
		}
		o.KnownMinutes++
		o.DemandedUnits += u * 60
		if maximum > 0 && u > float64(maximum) {
			o.ThrottledUnits += (u - float64(maximum)) * 60
			o.ThrottledMinutes++
			if throttled != nil {
				throttled[t] = true
			}
			u = float64(maximum)
		}
		if t >= surgeMinutes && u > max(float64(atOnce), 2*peak) {
			if o.SurgeMinutes == 0 {
				o.FirstSurge = t
			}
			o.SurgeMinutes++
		}
		if t >= from {
			counted++
			sum += u
		}
	}
	if counted > 0 {
		o.MeanUnits = sum / float64(counted)
	}
	return o
}
