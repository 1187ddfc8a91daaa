package cost

import (
	"strings"
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// O20: pinned at the maximum of 10 for 40 minutes with throttles.
func TestO20PinnedAtMaximum(t *testing.T) {
	load, events := flatDays(14, 3), flatDays(14, 0)
	for m := 600; m < 640; m++ {
		load[m], events[m] = 10, 2
	}
	m := metrics(nil, load)
	m.Series = append(m.Series, sums("WriteThrottleEvents", events))
	d := decide(t, scaledTable(1, 10), m)
	wantVerdict(t, &d, FixFirst)
	h := d.Demand.Resources[0].Write.Throttles
	if h.CensoredMinutes() != 40 || h.Events != 40*120 {
		t.Errorf("throttles %+v, expected 40 censored minutes and 4,800 events", h)
	}
	if !strings.Contains(d.Reasons[0], "demand above the cap is unknown") {
		t.Errorf("reason %q", d.Reasons[0])
	}
}

// Throttled at a third of the capacity: a hot key, which no mode cures (O45).
func TestHotKeyIsFixedFirst(t *testing.T) {
	events := flatDays(14, 0)
	for m := 0; m < len(events); m += 100 {
		events[m] = 1
	}
	m := metrics(flatDays(14, 6000), nil)
	m.Series = append(m.Series, sums("ReadThrottleEvents", events))
	d := decide(t, fixedTable(20000, 1), m)
	wantVerdict(t, &d, FixFirst)
	if !strings.Contains(d.Reasons[0], "hot key") {
		t.Errorf("reason %q", d.Reasons[0])
	}
}

// Throttled while the capacity of those minutes is not known (auto scaling that
// DescribeTable does not show): nobody may be told to raise it.
func TestThrottlesAtAnUnknownCapacityAreFixedFirst(t *testing.T) {
	events := flatDays(14, 0)
	for m := 0; m < len(events); m += 100 {
		events[m] = 1
	}
	m := metrics(flatDays(14, 300), nil)
	m.Series = append(m.Series, sums("ReadThrottleEvents", events))
	tab := fixedTable(1000, 1)
	tab.Scaling.Read = source.Unresolved[table.ScalingTarget]("not part of DescribeTable", source.Span{})
	d := decide(t, tab, m)
	wantVerdict(t, &d, FixFirst)
	if !strings.Contains(d.Reasons[0], "capacity of those minutes is not known") {
		t.Errorf("reason %q", d.Reasons[0])
	}
}

// A month is not computed from minutes.
func TestLessThanADayGivesNoOptions(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(1, 50)[:600], flatDays(1, 50)[:600]))
	wantVerdict(t, &d, InsufficientData)
	if len(d.Options) != 0 || d.Current != nil || !strings.Contains(d.Reasons[0], "0 full days") {
		t.Errorf("%d options, reasons %q", len(d.Options), d.Reasons)
	}
}

// CloudWatch names the cause itself: a key range above its own limit.
func TestKeyRangeThrottlesAreAHotKey(t *testing.T) {
	events := flatDays(14, 0)
	for m := 0; m < len(events); m += 100 {
		events[m] = 1
	}
	m := metrics(flatDays(14, 0), flatDays(14, 900))
	m.Series = append(m.Series, sums("WriteKeyRangeThroughputThrottleEvents", events))
	d := decide(t, onDemandTable(), m)
	wantVerdict(t, &d, FixFirst)
	h := d.Demand.Resources[0].Write.Throttles
	if h.HotMinutes != 202 || h.Events != 202*60 || !strings.Contains(d.Reasons[0], "hot key") {
		t.Errorf("throttles %+v, reason %q; expected 202 hot minutes", h, d.Reasons[0])
	}
}
