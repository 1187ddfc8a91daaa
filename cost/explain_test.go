package cost

import (
	"strings"
	"testing"
)

// A spike of two minutes that the bucket carries is no throttling, and is said to
// live on burst capacity: 12 of them a day are 168 minutes a week.
func TestBurstIsNamed(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(14, 0), days(14, func(m int) float64 {
		if m%120 >= 60 && m%120 < 62 {
			return 900
		}
		return 300
	})))
	wantVerdict(t, &d, Switch)
	want := "writes of the table are above the capacity in 168 minutes a week and live on burst capacity there"
	if reasons := strings.Join(d.Reasons, "\n"); d.Recommended.ThrottledUnits > 0 || !strings.Contains(reasons, want) {
		t.Errorf("%v throttled; no word of burst in\n%s", d.Recommended.ThrottledUnits, reasons)
	}
	for _, w := range optionNamed(t, &d, "on-demand").Warnings {
		t.Errorf("on-demand: %s", w)
	}
}

// 100, 100 and 150 units/s in three weeks: half as much again is more than the
// headroom of 20 %.
func TestGrowthIsNamed(t *testing.T) {
	grow := func(last float64) string {
		d := decide(t, onDemandTable(), metrics(flatDays(21, 0), days(21, func(m int) float64 {
			if m < 2*minutesPerWeek {
				return 100
			}
			return last
		})))
		return strings.Join(d.Reasons, "\n")
	}
	if got := grow(150); !strings.Contains(got, "writes of the table rose from 100.0 to 150.0 units/s") {
		t.Errorf("no word of growth in\n%s", got)
	}
	if got := grow(115); strings.Contains(got, "rose from") {
		t.Errorf("15 %% are within the headroom:\n%s", got)
	}
}
