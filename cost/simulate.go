package cost

import "math"

// Facts of the service that the simulator follows (developer guide: burst
// capacity, auto scaling, service quotas).
const (
	burstSeconds    = 300 // unused capacity kept for bursts, best effort
	outMinutes      = 2   // minutes above target before scaling out
	inMinutes       = 15  // minutes below target - 20 points before scaling in
	inPoints        = 20  // how far below target the scale-in alarm stands
	decreasesInHand = 4   // at 00:00 UTC and at most at any time; one more each hour
	minutesPerHour  = 60
	minutesPerDay   = 1440
	minutesPerWeek  = 7 * minutesPerDay
)

// Setting is the provisioned capacity of one direction of a table or GSI:
// fixed at Units where Target is 0, else auto scaled.
type Setting struct {
	Units    int64 // units a second, of a fixed setting
	Min, Max int64 // units a second, of an auto-scaled one
	Target   int   // utilisation in whole percent, 20 to 90; 0: fixed
	Start    int64 // capacity at the first minute; 0: what the first known minute asks for
}

// Scaled tells whether the setting is auto scaled.
func (s Setting) Scaled() bool { return s.Target > 0 }

// SimRules are the behaviours that sources disagree on or that move.
type SimRules struct {
	Delay       int     // minutes until a decided change is in force, both directions
	StartBurst  float64 // seconds of capacity in the burst bucket at the start, 0 to 300
	IdleScaleIn bool    // whether minutes without any consumption count for scaling in
}

// DefaultSimRules are a 3 minute delay, a full bucket, and scale-in when idle.
func DefaultSimRules() SimRules {
	return SimRules{Delay: 3, StartBurst: burstSeconds, IdleScaleIn: true}
}

// Run is one simulation of the reads and writes of a table or of a GSI, in
// step because their capacity decreases come out of one quota.
type Run struct {
	Read, Write               []float64 // units a second by minute; NaN is unknown; nil is not simulated
	ReadSetting, WriteSetting Setting
	MinuteOfDay               int     // of the first minute, UTC
	From                      int     // first minute that counts for capacity means
	Scale                     float64 // factor on all demand; 0 means 1
	Rules                     SimRules
	ReadTrace, WriteTrace     Trace
	Throttled                 []bool // where not nil: set true in minutes that throttle either direction

	// A search gives a run up as soon as reads throttle more than it allows.
	bounded    bool
	mayUnits   float64
	mayMinutes float64
}

// Trace is the caller's buffers for a chart; nil ones are not written.
type Trace struct {
	Capacity []int64   // by minute
	Bucket   []float64 // burst units left after the minute
}

// Outcome is what one direction went through. Units are request units.
type Outcome struct {
	MeanCapacity     float64 // units a second, as billed by hourly means
	HourlyMax        float64 // mean of each hour's highest capacity: the bound of the bill
	DemandedUnits    float64 // in known minutes
	ThrottledUnits   float64
	ThrottledMinutes int
	BurstMinutes     int // above the capacity and served whole, from the burst bucket
	KnownMinutes     int
}

// Share is the throttled part of the demanded units, 0 to 1.
func (o Outcome) Share() float64 {
	if o.DemandedUnits == 0 {
		return 0
	}
	return o.ThrottledUnits / o.DemandedUnits
}

// Simulate runs both directions minute by minute. In unknown minutes the
// capacity stays, no alarm is evaluated and no demand is counted.
func Simulate(r *Run) (read, write Outcome) {
	scale := r.Scale
	if scale == 0 {
		scale = 1
	}
	var rd, wr lane
	rd.init(r.Read, r.ReadSetting, r.Rules, scale)
	wr.init(r.Write, r.WriteSetting, r.Rules, scale)
	decreases := 0
	for t, n := 0, max(len(r.Read), len(r.Write)); t < n; t++ {
		decreases = r.refill(decreases, t)
		// One decrease may lower both directions, so the write side is asked
		// with the count that the read side saw.
		lowered := false
		hit := false
		if t < len(r.Read) {
			lowered, hit = rd.minute(t, r.Read[t]*scale, decreases > 0)
		}
		if t < len(r.Write) {
			l, h := wr.minute(t, r.Write[t]*scale, decreases > 0)
			lowered, hit = lowered || l, hit || h
		}
		if lowered {
			decreases--
		}
		if hit {
			if r.Throttled != nil {
				r.Throttled[t] = true
			}
			if r.bounded && (rd.throttled > r.mayUnits || float64(rd.minutes) > r.mayMinutes) {
				break
			}
		}
		if t >= r.From {
			endOfHour := (t+r.MinuteOfDay+1)%minutesPerHour == 0 || t == n-1
			rd.bill(endOfHour)
			wr.bill(endOfHour)
		}
		r.ReadTrace.put(t, &rd)
		r.WriteTrace.put(t, &wr)
	}
	return rd.outcome(), wr.outcome()
}

// refill gives the decreases in hand at minute t: all of them at the start
// and at 00:00 UTC, one more each hour.
func (r *Run) refill(decreases, t int) int {
	switch m := t + r.MinuteOfDay; {
	case t == 0 || m%minutesPerDay == 0:
		return decreasesInHand
	case m%minutesPerHour == 0:
		return min(decreasesInHand, decreases+1)
	}
	return decreases
}

func (tr Trace) put(t int, l *lane) {
	if tr.Capacity != nil {
		tr.Capacity[t] = l.cap
	}
	if tr.Bucket != nil {
		tr.Bucket[t] = l.bucket
	}
}

// lane is the running state of one direction.
type lane struct {
	set     Setting
	target  float64
	delay   int
	idleIn  bool
	cap     int64
	supply  float64 // units a minute
	bucket  float64 // burst units in hand
	high    float64 // 100 × units a second above which the out alarm counts
	low     float64 // 100 × units a second below which the in alarm counts
	next    int64   // capacity that lands at minute landing; 0: none
	landing int
	above   int
	below   int
	served  [inMinutes]float64 // the last minutes, units a second
	at      int

	demanded, throttled float64
	minutes, known      int
	burst               int
	capSum, maxSum      int64
	hourMax             int64
	billed, hours       int
}

func (l *lane) init(units []float64, s Setting, rules SimRules, scale float64) {
	l.set, l.delay, l.idleIn = s, rules.Delay, rules.IdleScaleIn
	l.target = float64(s.Target)
	if len(units) == 0 {
		return
	}
	l.setCapacity(startCapacity(units, s, scale))
	l.bucket = float64(l.cap) * rules.StartBurst
}

// startCapacity is the capacity before the first minute.
func startCapacity(units []float64, s Setting, scale float64) int64 {
	switch {
	case !s.Scaled():
		return s.Units
	case s.Start > 0:
		return s.Start
	}
	for _, u := range units {
		if !math.IsNaN(u) {
			return s.clamp(CapacityFor(u*scale, s.Target))
		}
	}
	return s.Min
}

func (s Setting) clamp(c int64) int64 { return min(s.Max, max(s.Min, c)) }

// CapacityFor is the least whole capacity at which units a second are at most
// target percent. Percent is whole so that 21 at 70 is 30 and not 31.
func CapacityFor(units float64, target int) int64 {
	want := math.Floor(100 * units / float64(target))
	if want >= math.MaxInt32 { // far above any quota
		return math.MaxInt32
	}
	if 100*units > want*float64(target) {
		want++
	}
	return int64(want)
}

func (l *lane) setCapacity(c int64) {
	l.cap = c
	l.supply = float64(c) * 60
	l.high = l.target * float64(c)
	l.low = (l.target - inPoints) * float64(c)
}

// minute serves one minute's demand and evaluates the alarms. It reports
// whether it used a decrease and whether it throttled.
func (l *lane) minute(t int, u float64, mayLower bool) (lowered, hit bool) {
	if l.next != 0 && t >= l.landing {
		l.setCapacity(l.next)
		l.next = 0
	}
	if u != u { // unknown
		l.above, l.below = 0, 0
		return false, false
	}
	want := u * 60
	got := want
	if want <= l.supply {
		l.bucket = min(float64(l.cap)*burstSeconds, l.bucket+l.supply-want)
	} else {
		burst := min(l.bucket, want-l.supply)
		l.bucket -= burst
		got = l.supply + burst
		if want > got {
			l.throttled += want - got
			l.minutes++
			hit = true
		} else {
			l.burst++
		}
	}
	l.demanded += want
	l.known++
	if l.target == 0 {
		return false, hit
	}
	return l.alarms(t, got/60, mayLower), hit
}

// alarms counts the minute for both alarms and decides a change when none is
// under way. It reports whether it decided a decrease.
func (l *lane) alarms(t int, served float64, mayLower bool) (lowered bool) {
	l.served[l.at] = served
	if l.at++; l.at == inMinutes {
		l.at = 0
	}
	if 100*served > l.high {
		l.above++
	} else {
		l.above = 0
	}
	if 100*served < l.low && (l.idleIn || served > 0) {
		l.below++
	} else {
		l.below = 0
	}
	switch {
	case l.next != 0:
	case l.above >= outMinutes && l.cap < l.set.Max:
		l.above = 0
		if c := l.set.clamp(CapacityFor(served, l.set.Target)); c > l.cap {
			l.next, l.landing = c, t+l.delay
		}
	case l.below >= inMinutes && mayLower && l.cap > l.set.Min:
		return l.lower(t)
	}
	return false
}

// lower decides a decrease to what the highest of the last minutes asks for.
func (l *lane) lower(t int) bool {
	top := 0.0
	for _, s := range l.served {
		top = max(top, s)
	}
	c := l.set.clamp(CapacityFor(top, l.set.Target))
	if c >= l.cap {
		return false
	}
	l.next, l.landing, l.below = c, t+l.delay, 0
	return true
}

// bill counts one minute of capacity; hours follow the clock.
func (l *lane) bill(endOfHour bool) {
	l.billed++
	l.capSum += l.cap
	l.hourMax = max(l.hourMax, l.cap)
	if endOfHour {
		l.maxSum += l.hourMax
		l.hours++
		l.hourMax = 0
	}
}

func (l *lane) outcome() Outcome {
	o := Outcome{DemandedUnits: l.demanded, ThrottledUnits: l.throttled, ThrottledMinutes: l.minutes, BurstMinutes: l.burst, KnownMinutes: l.known}
	if l.billed > 0 {
		o.MeanCapacity = float64(l.capSum) / float64(l.billed)
		o.HourlyMax = float64(l.maxSum) / float64(l.hours)
	}
	return o
}
