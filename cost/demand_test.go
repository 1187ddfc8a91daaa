package cost

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ddbvet/internal/table"
)

func pointsOf(metric, statistic string, period int32, n int, value float64) table.Series {
	s := table.Series{Metric: metric, Statistic: statistic}
	for i := range n {
		s.Points = append(s.Points, table.Point{Start: monday + int64(i)*int64(period), Period: period, Value: value})
	}
	return s
}

// O40: Sum over the period, whatever the period; Average is not units a
// second; a wrong index is no such series, never 0.
func TestO40SumOverPeriod(t *testing.T) {
	const writes = "ConsumedWriteCapacityUnits"
	for _, c := range []struct {
		period int32
		sum    float64
	}{{60, 6000}, {300, 30000}} {
		d := DemandOf(onDemandTable(), &table.Metrics{Series: []table.Series{
			pointsOf(writes, "Average", c.period, 10, 1), pointsOf(writes, "Sum", c.period, 10, c.sum),
		}})
		for m, u := range d.Resources[0].Write.Units {
			if u != 100 {
				t.Fatalf("period %d, minute %d: %v units/s, expected 100", c.period, m, u)
			}
		}
		if d.Minutes != 10*int(c.period)/60 {
			t.Errorf("period %d: %d minutes", c.period, d.Minutes)
		}
	}
	tab := onDemandTable()
	tab.GSIs.Items = []*table.Index{{Name: written("byEmail")}}
	other := pointsOf(writes, "Sum", 60, 10, 60)
	other.Index = "byMail"
	d := DemandOf(tab, &table.Metrics{Series: []table.Series{pointsOf(writes, "Sum", 60, 10, 60), other}})
	if missing := strings.Join(d.Missing, "\n"); !strings.Contains(missing, `no such series: ConsumedWriteCapacityUnits of index "byEmail"`) {
		t.Errorf("missing %q, expected the series of byEmail", d.Missing)
	}
	if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, `"byMail" are left out`) {
		t.Errorf("notes %q, expected byMail to be left out", d.Notes)
	}
}

// An Average without its Sum is something that was asked wrongly, not an
// absent series: it is no evidence of no use.
func TestAverageAloneIsNotZero(t *testing.T) {
	d := DemandOf(onDemandTable(), &table.Metrics{Series: []table.Series{
		pointsOf("ConsumedReadCapacityUnits", "Average", 60, 10, 1), pointsOf("ConsumedWriteCapacityUnits", "Sum", 60, 10, 60),
	}})
	if d.Resources[0].Read.AssumedZero || !strings.Contains(strings.Join(d.Missing, ""), "its Average is units a request") {
		t.Errorf("reads %+v, missing %q: expected no such series", d.Resources[0].Read.AssumedZero, d.Missing)
	}
}

// O41: a write-only table has zero reads on the full clock; with 300 read
// points the other minutes are unknown, and points join by time.
func TestO41WriteOnly(t *testing.T) {
	writes := flatDays(14, 5)
	d := DemandOf(onDemandTable(), metrics(nil, writes))
	r := d.Resources[0].Read
	if !r.AssumedZero || r.Known != 20160 || r.Peak() != 0 || d.Coverage.Share != 1 {
		t.Errorf("write-only: assumed zero %v, %d minutes, share %v", r.AssumedZero, r.Known, d.Coverage.Share)
	}
	if !strings.Contains(strings.Join(d.Notes, ""), "reads are taken as 0") {
		t.Errorf("notes %q do not say so", d.Notes)
	}
	reads := flatDays(14, nan())
	for m := 1000; m < 1300; m++ {
		reads[m] = 7
	}
	d = DemandOf(onDemandTable(), metrics(reads, writes))
	r = d.Resources[0].Read
	if r.Known != 300 || r.Units[1000] != 7 || !math.IsNaN(r.Units[999]) || d.Resources[0].Write.Known != 20160 {
		t.Errorf("300 read points: %d known, minute 1000 is %v, minute 999 is %v", r.Known, r.Units[1000], r.Units[999])
	}
	dec := decide(t, onDemandTable(), metrics(reads, writes))
	wantVerdict(t, &dec, InsufficientData)
	// Writes are priced on all their minutes.
	wantMoney(t, "writes", optionNamed(t, &dec, "on-demand").Parts[1].Monthly, "$8.21")
}

// O56: mixed periods on one clock, each stretch at its own, none twice.
func TestO56MixedPeriods(t *testing.T) {
	s := table.Series{Metric: "ConsumedWriteCapacityUnits", Statistic: "Sum"}
	for h := range 48 { // two days of hours, 10 units/s
		s.Points = append(s.Points, table.Point{Start: monday + int64(h)*3600, Period: 3600, Value: 36000})
	}
	for i := range 12 * 24 { // the second day also in 300 s, the same traffic
		s.Points = append(s.Points, table.Point{Start: monday + 86400 + int64(i)*300, Period: 300, Value: 3000})
	}
	for i := range 720 { // and its second half in minutes, at 20 units/s
		s.Points = append(s.Points, table.Point{Start: monday + 86400 + 43200 + int64(i)*60, Period: 60, Value: 1200})
	}
	d := DemandOf(onDemandTable(), &table.Metrics{Series: []table.Series{s}})
	w := d.Resources[0].Write
	if diff := cmp.Diff([]PeriodMinutes{{60, 720}, {300, 720}, {3600, 1440}}, w.Periods); diff != "" {
		t.Error(diff)
	}
	for m, u := range w.Units {
		want := 10.0
		if m >= 2160 {
			want = 20
		}
		if u != want {
			t.Fatalf("minute %d: %v units/s, expected %v", m, u, want)
		}
	}
	if d.Coverage.Coarsest != 3600 || d.Coverage.FullDays != 2 {
		t.Errorf("coverage %+v", d.Coverage)
	}
}

// What a coarse point holds beyond its fine minutes is spread over the rest.
func TestStitchKeepsTheSum(t *testing.T) {
	s := table.Series{Metric: "ConsumedWriteCapacityUnits", Statistic: "Sum", Points: []table.Point{
		{Start: monday, Period: 300, Value: 3000}, {Start: monday, Period: 60, Value: 2400}, {Start: monday + 60, Period: 60, Value: 0},
	}}
	d := DemandOf(onDemandTable(), &table.Metrics{Series: []table.Series{s}})
	want := []float64{40, 0, 600.0 / 180, 600.0 / 180, 600.0 / 180}
	if diff := cmp.Diff(want, d.Resources[0].Write.Units); diff != "" {
		t.Error(diff)
	}
}

// Stitching never invents units: the clock holds at most what the points do,
// and exactly that where periods do not overlap.
func TestStitchProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var pts []table.Point
		at, sum := int64(monday), 0.0
		for range n {
			period := rapid.SampledFrom([]int32{60, 300, 3600}).Draw(t, "period")
			value := rapid.Float64Range(0, 1e6).Draw(t, "value")
			at += int64(rapid.IntRange(0, 5).Draw(t, "gap")) * 60
			pts = append(pts, table.Point{Start: at, Period: period, Value: value})
			at += int64(period)
			sum += value
		}
		d := DemandOf(onDemandTable(), &table.Metrics{Series: []table.Series{{Metric: "ConsumedWriteCapacityUnits", Statistic: "Sum", Points: pts}}})
		got := 0.0
		for _, u := range d.Resources[0].Write.Units {
			if u == u {
				got += u * 60
			}
		}
		if math.Abs(got-sum) > 1e-6*max(1, sum) {
			t.Fatalf("the clock holds %v units, the points %v", got, sum)
		}
	})
}

// O62: 40 % of the datapoints, scattered, are no full day and no claim.
func TestO62ScatteredDatapoints(t *testing.T) {
	load := days(21, func(m int) float64 {
		if m%5 < 2 {
			return 500
		}
		return nan()
	})
	d := decide(t, onDemandTable(), metrics(load, load))
	wantVerdict(t, &d, InsufficientData)
	if c := d.Coverage(); c.FullDays != 0 || math.Abs(c.Share-0.4) > 0.001 {
		t.Errorf("coverage %+v, expected 40 %% and no full day", c)
	}
}

// A gap is not idle time: it is neither priced nor simulated as zero.
func TestGapIsUnknown(t *testing.T) {
	load := flatDays(21, 500)
	for m := range minutesPerDay / 2 {
		load[10*minutesPerDay+m] = nan()
	}
	d := decide(t, onDemandTable(), metrics(load, load))
	wantMoney(t, "writes on demand", d.Current.Parts[1].Monthly, "$821.25")
	if o := optionNamed(t, &d, "auto-scaled 70 %"); o.Parts[1].Mean != 715 {
		t.Errorf("mean capacity %v, expected 715: it stays in the gap", o.Parts[1].Mean)
	}
	if d.Coverage().FullDays != 20 {
		t.Errorf("%d full days, expected 20", d.Coverage().FullDays)
	}
}

// Hour points hide spikes: no switch to provisioned on them.
func TestCoarsePointsCannotSwitchToProvisioned(t *testing.T) {
	m := &table.Metrics{Series: []table.Series{
		pointsOf("ConsumedReadCapacityUnits", "Sum", 3600, 21*24, 0), pointsOf("ConsumedWriteCapacityUnits", "Sum", 3600, 21*24, 500*3600),
	}}
	d := decide(t, onDemandTable(), m)
	wantVerdict(t, &d, InsufficientData)
	if !strings.Contains(d.Reasons[0], "coarser ones hide the peaks") {
		t.Errorf("reason %q", d.Reasons[0])
	}
	if d.Recommended != nil {
		t.Errorf("recommended %s, expected none", d.Recommended.Name)
	}
	for i := range m.Series {
		for j := range m.Series[i].Points {
			m.Series[i].Points[j].Value /= 12
		}
		m.Series[i] = pointsOf(m.Series[i].Metric, "Sum", 300, 21*288, m.Series[i].Points[0].Value)
	}
	d = decide(t, onDemandTable(), m)
	wantVerdict(t, &d, Switch)
}

// The demand holds what throttled events asked for at least.
func TestThrottledEventsAddDemand(t *testing.T) {
	m := metrics(flatDays(1, 10), flatDays(1, 10))
	m.Series = append(m.Series, pointsOf("ReadThrottleEvents", "Sum", 60, 1, 120), pointsOf("WriteThrottleEvents", "Sum", 300, 1, 300))
	d := DemandOf(fixedTable(100, 100), m)
	r := d.Resources[0]
	if r.Read.Units[0] != 11 || r.Read.Units[1] != 10 || r.Write.Units[4] != 11 || r.Write.Units[5] != 10 {
		t.Errorf("reads %v, writes %v", r.Read.Units[:6], r.Write.Units[:6])
	}
	if r.Write.Throttles.Minutes != 5 || r.Read.Throttles.HotMinutes != 1 {
		t.Errorf("throttles %+v %+v", r.Read.Throttles, r.Write.Throttles)
	}
}
