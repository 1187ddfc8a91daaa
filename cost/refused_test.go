package cost

import (
	"math"
	"strings"
	"testing"

	"ddbvet/internal/table"
)

// Rows of reads were given and could not be used: their silence is not zero,
// and 800 reads a second are not left out of the money.
func TestRefusedRowsAreNotZero(t *testing.T) {
	for _, c := range []struct {
		refused table.Refused
		want    Verdict
	}{
		{table.Refused{Metric: "ConsumedReadCapacityUnits"}, InsufficientData},
		{table.Refused{Metric: "consumedReadCapacityUnit"}, InsufficientData},
		{table.Refused{Metric: "ReadCapacityUnits"}, InsufficientData},
		{table.Refused{}, InsufficientData},
		{table.Refused{Index: "GSI", Metric: "ConsumedReadCapacityUnits"}, Switch},
		{table.Refused{Metric: "ConsumedWriteCapacityUnits"}, Switch},
		{table.Refused{Metric: "ProvisionedReadCapacityUnits"}, Switch},
		{table.Refused{Metric: "UserErrors"}, Switch},
	} {
		m := metrics(nil, flatDays(14, 300))
		m.Refused = []table.Refused{c.refused}
		d := decide(t, onDemandTable(), m)
		if d.Verdict != c.want {
			t.Errorf("%+v: verdict %s, expected %s: %q", c.refused, d.Verdict, c.want, d.Reasons)
		}
		if c.want == InsufficientData && (len(d.Options) > 0 || !strings.Contains(d.Reasons[0], "no such series: ConsumedReadCapacityUnits")) {
			t.Errorf("%+v: %d options, reason %q", c.refused, len(d.Options), d.Reasons[0])
		}
	}
}

// Throttle rows that could not be used leave today's throttling unknown: it is
// not taken as none.
func TestRefusedThrottlesClaimNothing(t *testing.T) {
	m := metrics(flatDays(14, 0), flatDays(14, 300))
	m.Refused = []table.Refused{{Metric: "WriteThrottleEvents"}}
	d := decide(t, onDemandTable(), m)
	wantVerdict(t, &d, InsufficientData)
	if d.Recommended != nil || d.Saving.Expected.Known() || !strings.Contains(d.Reasons[0], "throttled writes of the table") {
		t.Errorf("recommended %v, saving %v, reason %q", d.Recommended, d.Saving, d.Reasons[0])
	}
	m.Series = append(m.Series, sums("WriteThrottleEvents", flatDays(14, 0)))
	d = decide(t, onDemandTable(), m)
	wantVerdict(t, &d, Switch)
}

// A verdict that claims no saving shows none, so that nobody adds it up (O62):
// three days (O43 A), a table pinned at its maximum (O20).
func TestNoSavingWithoutAClaim(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(3, 0), flatDays(3, 500)))
	wantVerdict(t, &d, InsufficientData)
	if d.Saving.Expected.Known() || d.SavingShare != 0 {
		t.Errorf("saving %v, expected none", d.Saving.Expected)
	}
	load, events := flatDays(14, 3), flatDays(14, 0)
	for m := 600; m < 640; m++ {
		load[m], events[m] = 10, 2
	}
	m := metrics(nil, load)
	m.Series = append(m.Series, sums("WriteThrottleEvents", events))
	d = decide(t, scaledTable(1, 10), m)
	wantVerdict(t, &d, FixFirst)
	if d.Saving.Expected.Known() || d.Recommended != nil {
		t.Errorf("saving %v, recommended %v: a pinned table is mended first", d.Saving.Expected, d.Recommended)
	}
}

// Auto scaling that lags behind a rise throttles at a capacity that the maximum
// does not tell: that is no hot key.
func TestLagOfScalingIsNoHotKey(t *testing.T) {
	load, events := flatDays(14, 5), flatDays(14, 0)
	for m := 0; m < len(load); m += 240 {
		for k := range 30 {
			load[m+k] = 200
		}
		events[m], events[m+1] = 3, 3
	}
	m := metrics(nil, load)
	m.Series = append(m.Series, sums("WriteThrottleEvents", events))
	d := decide(t, scaledTable(5, 1000), m)
	if h := d.Demand.Resources[0].Write.Throttles; h.HotMinutes != 0 || h.Uncapped != 168 {
		t.Errorf("throttles %+v, expected 168 minutes of an unknown capacity", h)
	}
	wantVerdict(t, &d, FixFirst)
	if !strings.Contains(d.Reasons[0], "capacity of those minutes is not known") {
		t.Errorf("reason %q", d.Reasons[0])
	}
	// Below four fifths of the minimum the capacity is enough whatever it is.
	d = decide(t, scaledTable(900, 1000), m)
	if h := d.Demand.Resources[0].Write.Throttles; h.HotMinutes != 168 {
		t.Errorf("throttles %+v, expected 168 hot minutes", h)
	}
}

// CloudWatch sends provisioned capacity every five minutes: read at 60 s, a
// point holds until the next is due, and no longer.
func TestProvisionedPointHoldsFiveMinutes(t *testing.T) {
	load, events := flatDays(14, 3), flatDays(14, 0)
	levels := days(14, func(m int) float64 {
		if m%5 > 0 {
			return nan()
		}
		return 12
	})
	for m := 600; m < 640; m++ {
		load[m], events[m] = 12, 2
	}
	m := metrics(nil, load)
	provisioned := sums("ProvisionedWriteCapacityUnits", levels)
	provisioned.Statistic = "Average"
	for i := range provisioned.Points {
		provisioned.Points[i].Value /= 60
	}
	m.Series = append(m.Series, sums("WriteThrottleEvents", events), provisioned)
	d := decide(t, scaledTable(5, 1000), m)
	if h := d.Demand.Resources[0].Write.Throttles; h.CensoredMinutes() != 40 || h.HotMinutes != 0 || h.Censored[0].Cap != 12 {
		t.Errorf("throttles %+v, expected 40 minutes at a capacity of 12", h)
	}
	sparse := []float64{7, nan(), nan(), nan(), nan(), nan(), 8}
	hold(sparse)
	for i, want := range []float64{7, 7, 7, 7, 7, nan(), 8} {
		if got := sparse[i]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("minute %d: %v, expected %v", i, got, want)
		}
	}
}

// A value beyond any table is no demand, and does not end the program.
func TestHugeValueIsNotUsed(t *testing.T) {
	m := metrics(flatDays(8, 0), flatDays(8, 50))
	m.Series[1].Points[77].Value = 1e308
	d := decide(t, onDemandTable(), m)
	wantVerdict(t, &d, Switch)
	wantMoney(t, "current", d.Current.Monthly.Expected, "$82.13")
}

// A week without any use is a low bound of the money, and a factor of 0 is not
// taken for 1.
func TestZeroWeekIsTheLowBound(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(21, 0), days(21, func(m int) float64 {
		if m < minutesPerWeek {
			return 0
		}
		return 300
	})))
	o := optionNamed(t, &d, "auto-scaled 70 %")
	set := o.Settings[0].Write
	// The minimum of both directions: 730 h at $0.00013 and $0.00065.
	want := 730 * (0.00013*float64(o.Settings[0].Read.Min) + 0.00065*float64(set.Min))
	if !within(o.Monthly.Low, want, 1e-9) || !less(o.Monthly.Low, o.Monthly.Expected) {
		t.Errorf("low %v of %v, expected the minimum of %d: $%.2f", o.Monthly.Low, o.Monthly.Expected, set.Min, want)
	}
}

// Capacity above the default quota has to be asked for before a switch.
func TestAboveQuotaIsWarned(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(14, 0), flatDays(14, 30000)))
	wantVerdict(t, &d, Switch)
	if reasons := strings.Join(d.Reasons, "\n"); !strings.Contains(reasons, "51429 units/s of writes of the table are above the default quota of 40000") {
		t.Errorf("no warning of the quota in\n%s", reasons)
	}
	if od := optionNamed(t, &d, "on-demand"); len(od.Warnings) != 0 {
		t.Errorf("warnings %q of on-demand at 30,000 units/s, expected none", od.Warnings)
	}
}

// The rows of one table of sensitivities are of one class, the subject's.
func TestSensitivityIsOfOneClass(t *testing.T) {
	tab := onDemandTable()
	tab.SizeBytes, tab.ItemCount = written(int64(5000*GB)), written(int64(0))
	d := decide(t, tab, metrics(flatDays(14, 10), flatDays(14, 20)))
	if d.Recommended == nil || d.Recommended.Class != table.InfrequentAccess {
		t.Fatalf("recommended %v, expected Standard-IA", d.Recommended)
	}
	var measured, at70 Money
	for _, r := range d.Sensitivity {
		switch {
		case r.Traffic == 1 && r.Target == 0:
			measured = r.OnDemand
		case r.Target == 70:
			at70 = r.OnDemand
		}
	}
	if !measured.Known() || measured.String() != at70.String() {
		t.Errorf("on-demand as measured %v, beside a target of 70 %% %v: expected the same", measured, at70)
	}
}
