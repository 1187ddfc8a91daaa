package cost

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type referenceCase struct {
	Name    string
	Series  []float64
	Answers []struct {
		Target              int
		Minimum, Maximum    int64
		Delay               int
		Start               *int64
		Mean                float64
		Throttled, Demanded float64
		Minutes             int
		Capacity            [][2]int64
	}
}

func readReference(t testing.TB) []referenceCase {
	t.Helper()
	var cases []referenceCase
	if err := json.NewDecoder(openFixture(t, "reference_vectors.json.gz")).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// The single-direction path must be the plain Python reference, minute for
// minute, whichever direction is run.
func TestSimulateAgreesWithReference(t *testing.T) {
	cases := readReference(t)
	if len(cases) < 10 {
		t.Fatalf("%d reference series, expected at least 10", len(cases))
	}
	for _, c := range cases {
		for _, a := range c.Answers {
			s := Setting{Min: a.Minimum, Max: a.Maximum, Target: a.Target}
			if a.Start != nil {
				s.Start = *a.Start
			}
			rules := DefaultSimRules()
			rules.Delay = a.Delay
			caps := make([]int64, len(c.Series))
			read, _ := Simulate(&Run{Read: c.Series, ReadSetting: s, Rules: rules, ReadTrace: Trace{Capacity: caps}})
			_, write := Simulate(&Run{Write: c.Series, WriteSetting: s, Rules: rules})
			if read != write {
				t.Errorf("%s at %d %%: reads %+v, writes %+v", c.Name, a.Target, read, write)
			}
			if !near(read.MeanCapacity, a.Mean) || !near(read.ThrottledUnits, a.Throttled) ||
				!near(read.DemandedUnits, a.Demanded) || read.ThrottledMinutes != a.Minutes {
				t.Errorf("%s at %d %%: %+v, reference says mean %v throttled %v demanded %v minutes %d",
					c.Name, a.Target, read, a.Mean, a.Throttled, a.Demanded, a.Minutes)
			}
			if d := cmp.Diff(a.Capacity, runsOf(caps)); d != "" {
				t.Errorf("%s at %d %%: capacity by minute (-reference +simulator):\n%s", c.Name, a.Target, d)
			}
		}
	}
}

func runsOf(caps []int64) (out [][2]int64) {
	for _, c := range caps {
		if n := len(out); n > 0 && out[n-1][0] == c {
			out[n-1][1]++
		} else {
			out = append(out, [2]int64{c, 1})
		}
	}
	return out
}

func repeat(u float64, minutes int) []float64 {
	out := make([]float64, minutes)
	for i := range out {
		out[i] = u
	}
	return out
}

// S1 as corrected: 4 decreases in hand at midnight, one more an hour, never
// above 4. With hourly peaks, the first four hours use the four and each later
// hour its own.
func TestS1DecreaseQuota(t *testing.T) {
	series := twoPeaks(0)
	caps := make([]int64, len(series))
	Simulate(&Run{Read: series, ReadSetting: Setting{Min: 1, Max: 1000, Target: 70}, Rules: DefaultSimRules(), ReadTrace: Trace{Capacity: caps}})
	down := make([]int, 24)
	for m := 1; m < len(caps); m++ {
		if caps[m] < caps[m-1] {
			down[m/60]++
		}
	}
	if total := decreases(caps); total < 20 || total > 27 {
		t.Errorf("%d decreases in a UTC day, expected close to and at most 27", total)
	}
	for h := 8; h < 24; h++ {
		if down[h] > 1 {
			t.Errorf("hour %d: %d decreases after the stock is used up, expected at most 1", h, down[h])
		}
	}
}

// twoPeaks is a day with two peaks an hour, more than the quota can follow.
func twoPeaks(shift int) []float64 {
	series := make([]float64, minutesPerDay)
	for m := range series {
		series[m] = 5
		if (m+shift)%30 < 8 {
			series[m] = 100
		}
	}
	return series
}

// S1: one decrease may lower reads and writes together, so equal loads in step
// go as far as one alone; out of step they share the quota of one resource.
func TestS1ReadAndWriteShareDecreases(t *testing.T) {
	set := Setting{Min: 1, Max: 2000, Target: 70}
	trace := func(read, write []float64) (r, w []int64) {
		r, w = make([]int64, minutesPerDay), make([]int64, minutesPerDay)
		Simulate(&Run{
			Read: read, Write: write, ReadSetting: set, WriteSetting: set, Rules: DefaultSimRules(),
			ReadTrace: Trace{Capacity: r}, WriteTrace: Trace{Capacity: w},
		})
		return r, w
	}
	alone, _ := trace(twoPeaks(0), nil)
	r, w := trace(twoPeaks(0), twoPeaks(0))
	if d := cmp.Diff(runsOf(alone), runsOf(r)) + cmp.Diff(runsOf(alone), runsOf(w)); d != "" {
		t.Errorf("in step with an equal load (-alone +together):\n%s", d)
	}
	r, w = trace(twoPeaks(0), twoPeaks(15))
	if n := decreases(r) + decreases(w); n < 20 || n > 27 {
		t.Errorf("out of step: %d decreases in a UTC day, expected close to and at most 27", n)
	}
}

func decreases(caps []int64) (n int) {
	for m := 1; m < len(caps); m++ {
		if caps[m] < caps[m-1] {
			n++
		}
	}
	return n
}

// S2 and S8: a constant load stands at ceil(100·u/target) for ever.
func TestS8ConstantLoad(t *testing.T) {
	for _, c := range []struct {
		units float64
		want  float64
	}{{70, 100}, {7, 10}, {21, 30}, {500, 715}, {100, 143}} {
		o, _ := Simulate(&Run{Read: repeat(c.units, 14*minutesPerDay), ReadSetting: Setting{Min: 1, Max: 40000, Target: 70}, Rules: DefaultSimRules()})
		if o.MeanCapacity != c.want || o.HourlyMax != c.want || o.ThrottledMinutes != 0 {
			t.Errorf("%v units/s at 70 %%: %+v, expected capacity %v", c.units, o, c.want)
		}
	}
}

// S3 with an empty start; its sixth tick differs there because it looks back
// over a rolling window and acts again at once on minutes already answered.
func TestS3BurstAndCapacity(t *testing.T) {
	caps, bucket := make([]int64, 5), make([]float64, 5)
	Simulate(&Run{
		Read: []float64{30, 20, 100, 80, 100}, ReadSetting: Setting{Min: 100, Max: 1000, Target: 50},
		Rules:     SimRules{Delay: 0, StartBurst: 0, IdleScaleIn: true},
		ReadTrace: Trace{Capacity: caps, Bucket: bucket},
	})
	if d := cmp.Diff([]int64{100, 100, 100, 100, 160}, caps); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{70 * 60, 150 * 60, 150 * 60, 170 * 60, 230 * 60}, bucket); d != "" {
		t.Error(d)
	}
}

func TestS4ThrottledWithoutBurst(t *testing.T) {
	o, _ := Simulate(&Run{Read: []float64{200}, ReadSetting: Setting{Units: 100}, Rules: SimRules{}})
	if o.ThrottledUnits != 100*60 || o.DemandedUnits != 200*60 || o.ThrottledMinutes != 1 {
		t.Errorf("%+v, expected 100 units/s throttled of 200", o)
	}
}

func TestS5OutAfterTwoMinutes(t *testing.T) {
	caps := make([]int64, 3)
	Simulate(&Run{
		Read: repeat(100, 3), ReadSetting: Setting{Min: 100, Max: 1000, Target: 50, Start: 100}, Rules: SimRules{IdleScaleIn: true},
		ReadTrace: Trace{Capacity: caps},
	})
	if d := cmp.Diff([]int64{100, 100, 200}, caps); d != "" {
		t.Error(d)
	}
}

// S9: at 80 % use, 8 % a month is over capacity in month 3 and 5 % in month 5.
func TestS9Growth(t *testing.T) {
	for _, c := range []struct {
		growth float64
		month  int
	}{{1.08, 3}, {1.05, 5}} {
		use := 80.0
		for month := 0; ; month++ {
			o, _ := Simulate(&Run{Read: repeat(use, 60), ReadSetting: Setting{Units: 100}, Rules: SimRules{}})
			if o.ThrottledUnits > 0 {
				if month != c.month {
					t.Errorf("growth %v: first throttled in month %d, expected %d", c.growth, month, c.month)
				}
				break
			}
			use *= c.growth
		}
	}
}

// S10: weekdays 9 to 17 at 800 to 1,200. Reacting throttles at nine; standing
// at the documented 800 from 08:45 does not.
func TestS10Seasonal(t *testing.T) {
	series := make([]float64, 5*minutesPerDay)
	for m := range series {
		series[m] = 95
		if h := m % minutesPerDay / 60; h >= 9 && h < 17 {
			series[m] = 800 + float64(m%60)/59*400
		}
	}
	react, _ := Simulate(&Run{Write: nil, Read: series, ReadSetting: Setting{Min: 90, Max: 1500, Target: 70}, Rules: DefaultSimRules()})
	if react.ThrottledMinutes < 5 {
		t.Errorf("reacting: %d throttled minutes, expected some each of 5 mornings", react.ThrottledMinutes)
	}
	ready, _ := Simulate(&Run{Read: series, ReadSetting: Setting{Min: 800, Max: 1500, Target: 70}, Rules: DefaultSimRules()})
	if ready.ThrottledMinutes != 0 {
		t.Errorf("minimum 800: %d throttled minutes, expected 0", ready.ThrottledMinutes)
	}
}

// O44: traffic stops. Without datapoints capacity stays at 1,429 (and with the
// switch off also on zeros); with zeros and the switch on it falls to the
// minimum.
func TestO44TrafficStops(t *testing.T) {
	set := Setting{Min: 1, Max: 2000, Target: 70}
	last := func(idle float64, rules SimRules) int64 {
		series := append(repeat(1000, 120), repeat(idle, 600)...)
		caps := make([]int64, len(series))
		Simulate(&Run{Write: series, WriteSetting: set, Rules: rules, WriteTrace: Trace{Capacity: caps}})
		return caps[len(caps)-1]
	}
	stays := DefaultSimRules()
	stays.IdleScaleIn = false
	if c := last(math.NaN(), DefaultSimRules()); c != 1429 {
		t.Errorf("no datapoints: capacity %d, expected 1429", c)
	}
	if c := last(0, stays); c != 1429 {
		t.Errorf("zeros, no idle scale-in: capacity %d, expected 1429", c)
	}
	if c := last(0, DefaultSimRules()); c != 1 {
		t.Errorf("zeros: capacity %d, expected 1", c)
	}
	// 1,429 WCU for a month is $678.06.
	if m := monthlyCapacity(1429, priceIn(t, "us-east-1", "STANDARD", ProvisionedWrite)); m.String() != "$678.06" {
		t.Errorf("stuck month: %v, expected $678.06", m)
	}
}

// Never more is served than the capacity of the minutes and the burst in hand
// at the start, and nothing is demanded in unknown minutes.
func TestSimulateServesAtMostSupplyAndBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		series := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 500), rapid.Just(0.0), rapid.Just(math.NaN())), 1, 400).Draw(t, "series")
		lo := rapid.Int64Range(1, 200).Draw(t, "min")
		set := Setting{Min: lo, Max: lo + rapid.Int64Range(0, 500).Draw(t, "range"), Target: rapid.IntRange(20, 90).Draw(t, "target")}
		rules := SimRules{Delay: rapid.IntRange(0, 10).Draw(t, "delay"), StartBurst: rapid.Float64Range(0, 300).Draw(t, "burst"), IdleScaleIn: rapid.Bool().Draw(t, "idle")}
		caps, bucket := make([]int64, len(series)), make([]float64, len(series))
		o, _ := Simulate(&Run{Read: series, ReadSetting: set, Rules: rules, ReadTrace: Trace{Capacity: caps, Bucket: bucket}})
		supply, demand := float64(caps[0])*rules.StartBurst, 0.0
		for m, u := range series {
			supply += float64(caps[m]) * 60
			if !math.IsNaN(u) {
				demand += u * 60
			}
			if caps[m] < set.Min || caps[m] > set.Max {
				t.Fatalf("minute %d: capacity %d outside %d..%d", m, caps[m], set.Min, set.Max)
			}
			if bucket[m] < 0 {
				t.Fatalf("minute %d: burst bucket %v", m, bucket[m])
			}
		}
		if served := o.DemandedUnits - o.ThrottledUnits; served > supply*(1+1e-12)+1e-6 {
			t.Fatalf("served %v of a supply of %v", served, supply)
		}
		if !near(o.DemandedUnits, demand) {
			t.Fatalf("demanded %v, series says %v", o.DemandedUnits, demand)
		}
	})
}

func TestSimulateDoesNotAllocate(t *testing.T) {
	series := repeat(100, minutesPerDay)
	set := Setting{Min: 1, Max: 400, Target: 70}
	run := Run{Read: series, Write: series, ReadSetting: set, WriteSetting: set, Rules: DefaultSimRules()}
	if n := testing.AllocsPerRun(20, func() { Simulate(&run) }); n != 0 {
		t.Errorf("%v allocations a simulation, expected 0", n)
	}
}

// BenchmarkSimulate is 21 days of one table, both directions, on a wave.
func BenchmarkSimulate(b *testing.B) {
	series := make([]float64, 21*minutesPerDay)
	for m := range series {
		series[m] = 55 - 45*math.Cos(2*math.Pi*float64(m)/minutesPerDay)
	}
	set := Setting{Min: 1, Max: 400, Target: 70}
	run := Run{Read: series, Write: series, ReadSetting: set, WriteSetting: set, Rules: DefaultSimRules()}
	for b.Loop() {
		Simulate(&run)
	}
	b.ReportMetric(float64(len(series))*float64(b.N)/b.Elapsed().Seconds(), "table-minutes/s")
}
