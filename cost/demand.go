package cost

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Direction is reads or writes.
type Direction string

// The directions.
const (
	ReadSide  Direction = "read"
	WriteSide Direction = "write"
)

// The words of CloudWatch's metric names for a direction.
func (d Direction) title() string {
	if d == ReadSide {
		return "Read"
	}
	return "Write"
}

// Demand is what a table and its GSIs were asked for, on one minute clock.
type Demand struct {
	Start     int64            // seconds since the epoch, a whole minute
	Minutes   int              // length of the clock
	From      int              // first minute of the newest whole weeks; 0 where there is no whole week
	Resources []ResourceDemand // the table first, then its GSIs by name
	Coverage  Coverage
	Missing   []string // series that should be there and are not; no total is whole without them
	Doubts    []string // evidence that was given and could not be read: no change is claimed against it
	Notes     []string // how the series were read, for people
}

// ResourceDemand is the demand of the table (Index "") or of one GSI.
type ResourceDemand struct {
	Index       string
	Read, Write SeriesDemand
}

// SeriesDemand is the demand of one direction of one resource by minute.
type SeriesDemand struct {
	Units       []float64 // units a second; NaN where unknown; nil where nothing is known
	Provisioned []float64 // units a second; NaN where unknown; nil without such a series
	Known       int       // known minutes of Units
	Periods     []PeriodMinutes
	AssumedZero bool // CloudWatch has no such series beside a present sibling: no use
	Throttles   ThrottleHistory
}

// PeriodMinutes counts the minutes that came from points of one period.
type PeriodMinutes struct{ Seconds, Minutes int }

// Peak is the highest known minute, units a second.
func (s *SeriesDemand) Peak() (peak float64) {
	for _, u := range s.Units {
		if u > peak { // false for NaN
			peak = u
		}
	}
	return peak
}

// maxClock bounds the clock, in minutes: CloudWatch keeps nothing longer than
// 455 days, so an older stamp is a mistake.
const maxClock = 460 * minutesPerDay

// DemandOf reads the demand of a table from its metrics: Sum / period, never
// Average, plus the least that throttled events can have asked for. Gaps stay
// unknown. Metrics nil is a table without any datapoint.
func DemandOf(t *table.Table, m *table.Metrics) Demand {
	var d Demand
	if m == nil {
		m = &table.Metrics{}
	}
	d.setClock(m)
	if d.Minutes == 0 {
		d.Missing = append(d.Missing, "no consumed capacity of the table: neither ConsumedReadCapacityUnits nor ConsumedWriteCapacityUnits has a datapoint")
		return d
	}
	for _, index := range d.indexes(t, m) {
		d.Resources = append(d.Resources, d.resource(t, m, index))
	}
	d.Coverage = coverageOf(&d)
	if w := d.Coverage.WholeWeeks; w > 0 {
		d.From = d.Minutes - w*minutesPerWeek
	}
	return d
}

func (d *Demand) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

func consumedMetric(dir Direction) string    { return "Consumed" + dir.title() + "CapacityUnits" }
func provisionedMetric(dir Direction) string { return "Provisioned" + dir.title() + "CapacityUnits" }

// setClock spans all consumed points.
func (d *Demand) setClock(m *table.Metrics) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, dir := range []Direction{ReadSide, WriteSide} {
		for _, s := range m.Series {
			if s.Metric != consumedMetric(dir) || s.Statistic != "Sum" {
				continue
			}
			for _, p := range s.Points {
				if usable(p) {
					first = min(first, p.Start-p.Start%60)
					last = max(last, p.Start-p.Start%60+int64(p.Period))
				}
			}
		}
	}
	if last <= first {
		return
	}
	if n := (last - first) / 60; n > maxClock {
		first = last - maxClock*60
		d.note("points older than %d days before the newest are not used: CloudWatch keeps 455 days", maxClock/minutesPerDay)
	}
	d.Start, d.Minutes = first, int((last-first)/60)
}

// indexes are the table ("") and its GSIs. An index that only the metrics know
// counts where the definition may be incomplete, else it is a deleted one.
func (d *Demand) indexes(t *table.Table, m *table.Metrics) []string {
	var out []string
	complete := t != nil && t.GSIs.Complete()
	if t != nil {
		for _, ix := range t.GSIs.Items {
			if n, ok := ix.Name.Get(); ok {
				out = append(out, n)
			} else {
				complete = false
				d.Missing = append(d.Missing, "the name of a GSI is not known, so its metrics cannot be found")
			}
		}
	}
	var stray []string
	for _, s := range m.Series {
		if s.Index != "" && !slices.Contains(out, s.Index) && !slices.Contains(stray, s.Index) {
			stray = append(stray, s.Index)
		}
	}
	if complete {
		for _, s := range stray {
			d.note("metrics of index %q are left out: the table's definition has no such GSI", s)
		}
	} else {
		out = append(out, stray...)
	}
	slices.Sort(out)
	return append([]string{""}, out...)
}

// place names a resource for people.
func resourceName(index string) string {
	if index == "" {
		return "the table"
	}
	return fmt.Sprintf("index %q", index)
}

func (d *Demand) resource(t *table.Table, m *table.Metrics, index string) ResourceDemand {
	r := ResourceDemand{Index: index}
	for _, dir := range []Direction{ReadSide, WriteSide} {
		*r.side(dir) = d.series(m, index, dir)
	}
	d.fillAbsent(m, &r, ReadSide, WriteSide)
	d.fillAbsent(m, &r, WriteSide, ReadSide)
	for _, dir := range []Direction{ReadSide, WriteSide} {
		s := r.side(dir)
		if s.Units == nil {
			d.missingSeries(m, index, dir)
			continue
		}
		d.addThrottles(t, m, index, dir, s)
	}
	return r
}

func (r *ResourceDemand) side(dir Direction) *SeriesDemand {
	if dir == ReadSide {
		return &r.Read
	}
	return &r.Write
}

// series stitches consumed and provisioned capacity of one direction.
func (d *Demand) series(m *table.Metrics, index string, dir Direction) (s SeriesDemand) {
	if c := m.Find(index, consumedMetric(dir), "Sum"); c != nil {
		s.Units, s.Periods = d.stitch(c.Points, true)
		for _, p := range s.Periods {
			s.Known += p.Minutes
		}
		if s.Known == 0 {
			s.Units = nil
		}
	}
	for _, statistic := range []string{"Average", "Maximum"} {
		if p := m.Find(index, provisionedMetric(dir), statistic); p != nil {
			s.Provisioned, _ = d.stitch(p.Points, false)
			hold(s.Provisioned)
			break
		}
	}
	return s
}

// hold keeps a level until the next point is due: CloudWatch sends provisioned
// capacity every five minutes, so that one of every five minutes has it when it
// is read at 60 s.
func hold(levels []float64) {
	held := math.NaN()
	for i, left := 0, 0; i < len(levels); i++ {
		switch l := levels[i]; {
		case l == l:
			held, left = l, finePeriod/60-1
		case left > 0:
			levels[i] = held
			left--
		}
	}
}

// fillAbsent reads a series that does not exist at all beside a sibling that
// does as no use (CloudWatch sends zeros for what is in use, and nothing for
// what never was): zero where the sibling is known, unknown in its gaps.
func (d *Demand) fillAbsent(m *table.Metrics, r *ResourceDemand, of, sibling Direction) {
	s, known := r.side(of), r.side(sibling)
	if s.Units != nil || known.Units == nil || known.AssumedZero || otherStatistic(m, r.Index, of) != "" || refusedUse(m, r.Index, of) {
		return
	}
	if share := float64(known.Known) / float64(d.Minutes); share < nearlyAll {
		return
	}
	s.AssumedZero, s.Known, s.Periods = true, known.Known, known.Periods
	s.Units = make([]float64, d.Minutes)
	for i, u := range known.Units {
		if u != u {
			s.Units[i] = u
		}
	}
	d.note("%s has no %s series beside a complete %s: %ss are taken as 0", resourceName(r.Index), consumedMetric(of), consumedMetric(sibling), of)
}

// missingSeries says what would have to be given, and why an Average is not it.
func (d *Demand) missingSeries(m *table.Metrics, index string, dir Direction) {
	why := ""
	if other := otherStatistic(m, index, dir); other != "" {
		why = fmt.Sprintf("; its %s is units a request, not a second", other)
	} else if refusedUse(m, index, dir) {
		why = "; rows that may be of it make no sense and are not used"
	}
	d.Missing = append(d.Missing, fmt.Sprintf("no such series: %s of %s, statistic Sum%s", consumedMetric(dir), resourceName(index), why))
}

// refusedUse tells whether rows that were not used may be of consumed capacity:
// of its metric, of a name near to it, or of none.
func refusedUse(m *table.Metrics, index string, dir Direction) bool {
	return refused(m, index, func(metric string) bool {
		switch lower := strings.ToLower(metric); {
		case metric == "":
			return true
		case strings.Contains(lower, "provisioned"), !strings.Contains(lower, string(dir)):
			return false
		default:
			return strings.Contains(lower, "consum") || strings.Contains(lower, "capacity")
		}
	})
}

func refused(m *table.Metrics, index string, metric func(string) bool) bool {
	return slices.ContainsFunc(m.Refused, func(r table.Refused) bool {
		return (r.Index == index || r.Metric == "") && metric(r.Metric)
	})
}

// otherStatistic is a statistic other than Sum that a consumed series has.
func otherStatistic(m *table.Metrics, index string, dir Direction) string {
	for _, s := range m.Series {
		if s.Index == index && s.Metric == consumedMetric(dir) && s.Statistic != "Sum" {
			return s.Statistic
		}
	}
	return ""
}

// bounds are the least and the most capacity that may have been in force in a
// minute, units a second.
type bounds struct{ least, most float64 }

// capacityAt is the capacity in force, where it is known: the provisioned
// series, or the settings that bound it.
func capacityAt(t *table.Table, index string, dir Direction, s *SeriesDemand) func(minute int) (bounds, bool) {
	set, ok := settingBounds(t, index, dir)
	return func(minute int) (bounds, bool) {
		if s.Provisioned != nil && minute < len(s.Provisioned) {
			if p := s.Provisioned[minute]; p == p {
				return bounds{p, p}, true
			}
		}
		return set, ok
	}
}

// settingBounds are the least and the most capacity the described settings
// allow.
func settingBounds(t *table.Table, index string, dir Direction) (b bounds, known bool) {
	if t == nil {
		return b, false
	}
	capacity, maximum, scaling := t.Capacity, t.MaxOnDemand, t.Scaling
	if index != "" {
		ix := t.IndexNamed(index)
		if ix == nil {
			return b, false
		}
		capacity, maximum, scaling = ix.Capacity, ix.MaxOnDemand, ix.Scaling
	}
	if source.Is(t.Billing, table.PayPerRequest) {
		n, ok := ofDirection(maximum, dir).Get()
		return bounds{float64(n), float64(n)}, ok && n > 0
	}
	if !source.Is(t.Billing, table.Provisioned) {
		return b, false
	}
	target := scaling.Read
	if dir == WriteSide {
		target = scaling.Write
	}
	if s, ok := target.Get(); ok {
		least, _ := s.Min.Get() // 0 where it is not known
		most, ok := s.Max.Get()
		return bounds{float64(least), float64(most)}, ok
	}
	if target.Unresolved() {
		return b, false // the described capacity may be one moment's
	}
	n, ok := ofDirection(capacity, dir).Get()
	return bounds{float64(n), float64(n)}, ok
}

func ofDirection(t table.Throughput, dir Direction) source.Value[int64] {
	if dir == ReadSide {
		return t.Read
	}
	return t.Write
}

// missingText joins what is missing for a reason.
func (d *Demand) missingText() string { return strings.Join(d.Missing, "; ") }
