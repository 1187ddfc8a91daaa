package cost

import (
	"fmt"
	"strings"
	"time"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// trial is what one mode and its settings do with the demand, before prices.
type trial struct {
	mode     string
	series   []trialSeries
	minutes  int // in which anything throttles
	warnings []string
}

// trialSeries is one direction of one resource in a trial.
type trialSeries struct {
	index               string
	dir                 Direction
	mean, bound         float64 // units a second: requests on demand, else capacity
	demanded, throttled float64 // request units
	minutes, burst      int
}

func (ts trialSeries) share() float64 {
	if ts.demanded == 0 {
		return 0
	}
	return ts.throttled / ts.demanded
}

func (t *trial) totals() (demanded, throttled float64) {
	for _, ts := range t.series {
		demanded += ts.demanded
		throttled += ts.throttled
	}
	return demanded, throttled
}

func (s *study) minuteOfDay() int { return int(s.demand.Start % (minutesPerDay * 60) / 60) }

// run is a simulation of one resource.
func (s *study) run(read, write []float64, scale float64) Run {
	return Run{Read: read, Write: write, MinuteOfDay: s.minuteOfDay(), From: s.demand.From, Scale: scale, Rules: s.in.Limits.Rules}
}

// provisioned tries settings on traffic × scale.
func (s *study) provisioned(settings []IndexSetting, scale float64) trial {
	t := trial{mode: ModeProvisioned}
	clear(s.throttled)
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		run := s.run(r.Read.Units, r.Write.Units, scale)
		run.ReadSetting, run.WriteSetting, run.Throttled = settings[i].Read, settings[i].Write, s.throttled
		read, write := Simulate(&run)
		t.add(r.Index, ReadSide, read)
		t.add(r.Index, WriteSide, write)
	}
	t.minutes = s.marked()
	return t
}

func (t *trial) add(index string, dir Direction, o Outcome) {
	t.series = append(t.series, trialSeries{index, dir, o.MeanCapacity, o.HourlyMax, o.DemandedUnits, o.ThrottledUnits, o.ThrottledMinutes, o.BurstMinutes})
}

func (s *study) marked() (n int) {
	for _, hit := range s.throttled {
		if hit {
			n++
		}
	}
	return n
}

// onDemand tries on-demand mode on traffic × scale. A maximum that the table
// has today stays.
func (s *study) onDemand(scale float64) trial {
	t := trial{mode: ModeOnDemand}
	clear(s.throttled)
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		for _, dir := range []Direction{ReadSide, WriteSide} {
			maximum, atOnce := s.onDemandBounds(r.Index, dir)
			o := OnDemand(r.side(dir).Units, scale, s.demand.From, maximum, atOnce, s.throttled)
			t.series = append(t.series, trialSeries{r.Index, dir, o.MeanUnits, o.MeanUnits, o.DemandedUnits, o.ThrottledUnits, o.ThrottledMinutes, 0})
			if o.SurgeMinutes > 0 {
				at := time.Unix(s.demand.Start+int64(o.FirstSurge)*60, 0).UTC().Format("2006-01-02 15:04")
				t.warnings = append(t.warnings, fmt.Sprintf(
					"%ss of %s rise above twice their previous peak within %d minutes in %d minutes (first %s UTC): on demand may throttle there",
					dir, resourceName(r.Index), surgeMinutes, o.SurgeMinutes, at))
			}
		}
	}
	t.minutes = s.marked()
	return t
}

// onDemandBounds are the table's own maximum (0: none) and what it serves at
// once: its warm throughput, the service's start, or what is provisioned now.
func (s *study) onDemandBounds(index string, dir Direction) (maximum, atOnce int64) {
	t := s.in.Table
	atOnce = onDemandStartRead
	if dir == WriteSide {
		atOnce = onDemandStartWrite
	}
	most, warm, capacity := t.MaxOnDemand, t.Warm, t.Capacity
	if ix := t.IndexNamed(index); index != "" && ix != nil {
		most, warm, capacity = ix.MaxOnDemand, ix.Warm, ix.Capacity
	}
	for _, v := range []source.Value[int64]{ofDirection(warm, dir), ofDirection(capacity, dir)} {
		if n, ok := v.Get(); ok {
			atOnce = max(atOnce, n)
		}
	}
	if n, ok := ofDirection(most, dir).Get(); ok && n > 0 && source.Is(t.Billing, table.PayPerRequest) {
		maximum = n
	}
	return maximum, atOnce
}

// rejected says why a trial throttles too much; "" where it does not.
func (s *study) rejected(t trial) string {
	var why []string
	for i, ts := range t.series {
		today := s.todayShare(i)
		if share := ts.share(); share > s.in.Limits.ThrottledShare+today {
			why = append(why, fmt.Sprintf("throttles %s of the %s units of %s (limit %s above today's %s)",
				percent(share), ts.dir, resourceName(ts.index), percent(s.in.Limits.ThrottledShare), percent(today)))
		}
	}
	if week := s.perWeek(float64(t.minutes)); week > s.in.Limits.ThrottledMinutes+s.today {
		why = append(why, fmt.Sprintf("throttles in %.1f minutes a week (limit %s above today's %.1f)", week, count(s.in.Limits.ThrottledMinutes), s.today))
	}
	return strings.Join(why, "; ")
}

// todayShare is the least share of a series' units that is throttled today.
// Series follow each other as in a trial: read and write of each resource.
func (s *study) todayShare(i int) float64 {
	r := &s.demand.Resources[i/2]
	dir := ReadSide
	if i%2 == 1 {
		dir = WriteSide
	}
	sd, total := r.side(dir), 0.0
	if sd.Throttles.Events == 0 {
		return 0
	}
	for _, u := range sd.Units {
		if u == u {
			total += u * 60
		}
	}
	if total == 0 {
		return 0
	}
	return min(1, sd.Throttles.Events*leastUnits(dir)/total)
}

// percent prints a share, 0 to 1, with as many digits as it needs.
func percent(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "0 %"
	case p < 0.1:
		return fmt.Sprintf("%.2g %%", p)
	case p < 10:
		return fmt.Sprintf("%.2f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// leastFactor of traffic stands for none: a run takes a factor of 0 for 1.
const leastFactor = 1e-6

// trafficRange is how much less and more traffic the money range stands for:
// 20 %, or what the weeks differ by where that is more.
func (s *study) trafficRange() (low, high float64) {
	low, high = 0.8, 1.2
	weeks := s.demand.Coverage.WholeWeeks
	if weeks < 2 || len(s.tariffs) == 0 {
		return low, high
	}
	sums, total := make([]float64, weeks), 0.0
	for _, r := range s.demand.Resources {
		for _, dir := range []Direction{ReadSide, WriteSide} {
			price := s.tariffs[0].request(dir).InexactFloat64()
			for i, u := range r.side(dir).Units {
				if u == u && i >= s.demand.From {
					sums[(i-s.demand.From)/minutesPerWeek] += u * price
					total += u * price
				}
			}
		}
	}
	if total == 0 || s.demand.Coverage.Share < nearlyAll {
		return low, high
	}
	for _, sum := range sums {
		ratio := sum * float64(weeks) / total
		low, high = min(low, ratio), max(high, ratio)
	}
	return max(low, leastFactor), high
}
