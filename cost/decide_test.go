package cost

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"ddbvet/internal/table"
)

// O24: 500 WCU/s flat on demand.
func TestO24Steady(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(21, 0), flatDays(21, 500)))
	wantVerdict(t, &d, Switch)
	wantMoney(t, "current", d.Current.Monthly.Expected, "$821.25")
	best := d.Recommended
	// One RCU is the least a provisioned table has: $0.0949.
	wantMoney(t, "recommended writes", best.Parts[1].Monthly, "$339.27")
	wantMoney(t, "recommended", best.Monthly.Expected, "$339.36")
	if got := best.Settings[0].Write; got.Target != 70 || got.Min > 715 || got.Max < 858 {
		t.Errorf("write setting %+v, expected target 70 and room for 600 units/s at it", got)
	}
	wantMoney(t, "saving", d.Saving.Expected, "$481.89")
	if d.SavingShare < 0.586 || d.SavingShare > 0.588 {
		t.Errorf("saving share %v, expected 58.7 %%", d.SavingShare)
	}
	if o := optionNamed(t, &d, "auto-scaled 90 %"); o.Rejected == "" || !within(o.Parts[1].Monthly, 556*0.00065*730, 1e-9) {
		t.Errorf("at 90 %%: %v, rejected %q; expected 556 WCU and rejected for its headroom", o.Parts, o.Rejected)
	}
	if !d.Flip.Found || !d.Flip.Below || d.Flip.Traffic < 0.40 || d.Flip.Traffic > 0.43 {
		t.Errorf("flip %+v, expected on-demand cheaper below about 41 %%", d.Flip)
	}
}

func TestSteadyFixture(t *testing.T) {
	tab, m := readFixture(t, "steady")
	d := decide(t, tab, m)
	wantVerdict(t, &d, Switch)
	if !within(d.Current.Monthly.Expected, 821.25, 0.005) || !within(d.Recommended.Monthly.Expected, 339.27, 0.005) {
		t.Errorf("current %v, recommended %v; expected 821.25 and 339.27 within 0.5 %%", d.Current.Monthly, d.Recommended.Monthly)
	}
	if d.Recommended.Settings[0].Write.Target != 70 {
		t.Errorf("recommended %+v, expected a target of 70", d.Recommended.Settings)
	}
	if c := d.Coverage(); c.Share != 1 || c.Days != 21 || c.WholeWeeks != 3 || c.PeriodSeconds != 60 || !c.Every() {
		t.Errorf("coverage %+v", c)
	}
}

// O25: spikes of an hour on Mondays and Fridays on a static 300 WCU.
func TestO25SpikyFixture(t *testing.T) {
	tab, m := readFixture(t, "spiky")
	d := decide(t, tab, m)
	wantVerdict(t, &d, Switch)
	wantMoney(t, "today's writes", d.Current.Parts[1].Monthly, "$142.35")
	od := optionNamed(t, &d, "on-demand")
	wantMoney(t, "on-demand writes", od.Parts[1].Monthly, "$7.16")
	if d.Recommended != od {
		t.Errorf("recommended %s, expected on-demand", d.Recommended.Name)
	}
	naive := optionNamed(t, &d, "auto-scaled 70 %, minimum 1")
	if !strings.Contains(naive.Rejected, "throttles") || naive.ThrottledShare < 0.2 || naive.ThrottledShare > 0.27 {
		t.Errorf("auto-scaled: rejected %q, %.3f of units; expected about 23.8 %%", naive.Rejected, naive.ThrottledShare)
	}
	if !within(naive.Parts[1].Monthly, 2.69, 0.03) {
		t.Errorf("auto-scaled writes %v, expected about $2.69", naive.Parts[1].Monthly)
	}
	if !less(naive.Monthly.Expected, od.Monthly.Expected) {
		t.Error("the rejected option is the cheaper one, so the reasons must name it")
	}
	if reasons := strings.Join(d.Reasons, "\n"); !strings.Contains(reasons, "is rejected: it throttles") {
		t.Errorf("no reason names the rejected option:\n%s", reasons)
	}
}

// O26: spikes of 3 minutes every 3 hours on auto scaling from 1 to 10.
func TestO26ColdStart(t *testing.T) {
	load := days(21, func(m int) float64 {
		if m%180 < 3 {
			return 30
		}
		return 0.2
	})
	d := decide(t, scaledTable(1, 10), metrics(load, flatDays(21, 0)))
	if d.Current.ThrottledShare < 0.5 || d.Current.Rejected == "" {
		t.Errorf("today throttles %.3f (%q), expected about 65 %% and rejected", d.Current.ThrottledShare, d.Current.Rejected)
	}
	if d.Best.Mode != ModeOnDemand {
		t.Errorf("best is %s, expected on-demand: throttling decides, the money is cents", d.Best.Name)
	}
	wantMoney(t, "on-demand", d.Best.Monthly.Expected, "$0.23")
	if !less(d.Current.Parts[0].Monthly, d.Best.Parts[0].Monthly) {
		t.Error("today's setting should be the cheaper one for reads")
	}
}

// O27: 200 idle tables at 5/5 cost $569.40 together and each is below the
// floor: the fleet adds them up.
func TestO27Idle(t *testing.T) {
	tab, m := readFixture(t, "idle")
	d := decide(t, tab, m)
	wantVerdict(t, &d, LeaveAlone)
	one, _ := d.Current.Monthly.Expected.Get()
	wantMoney(t, "200 tables", USD(one.Mul(decimal.NewFromInt(200))), "$569.40")
	wantMoney(t, "saving of one", d.Saving.Expected, "$2.85")
	if d.Best.Mode != ModeOnDemand {
		t.Errorf("best is %s, expected on-demand", d.Best.Name)
	}
	wantMoney(t, "on-demand", d.Best.Monthly.Expected, "$0.00")
}

// O28: over-provisioned and empty.
func TestO28Overprovisioned(t *testing.T) {
	for _, c := range []struct {
		read, write int64
		want        string
	}{
		{1000, 1000, "$569.40"},
		{300, 1000, "$502.97"},
		{400, 400, "$227.76"},
		{40000, 40000, "$22,776.00"}, // $748.80 a day
	} {
		d := decide(t, fixedTable(c.read, c.write), metrics(flatDays(14, 0), flatDays(14, 0)))
		wantVerdict(t, &d, Switch)
		wantMoney(t, "current", d.Current.Monthly.Expected, c.want)
		wantMoney(t, "saving", d.Saving.Expected, c.want)
	}
}

// O29: 10 M writes and 50 M reads a month, flat.
func TestO29BlogArithmetic(t *testing.T) {
	read, write := 50e6/(730*3600), 10e6/(730*3600)
	load := metrics(flatDays(21, read), flatDays(21, write))
	d := decide(t, onDemandTable(), load)
	wantVerdict(t, &d, LeaveAlone)
	wantMoney(t, "on-demand", d.Current.Monthly.Expected, "$12.50")
	wantMoney(t, "right-sized", d.Best.Monthly.Expected, "$5.50")
	wantMoney(t, "saving", d.Saving.Expected, "$7.00")
	if set := d.Best.Settings[0]; CapacityFor(read, set.Read.Target) != 28 || CapacityFor(write, set.Write.Target) != 6 {
		t.Errorf("best %+v, expected 28 RCU and 6 WCU", set)
	}
	if d.Recommended != d.Current {
		t.Error("expected to leave on-demand")
	}
	proposal := decide(t, fixedTable(500, 100), load)
	wantMoney(t, "proposal", proposal.Current.Monthly.Expected, "$94.90")
}

// O42: 100 WCU/s flat.
func TestO42NotAHundredfold(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(flatDays(21, 0), flatDays(21, 100)))
	wantVerdict(t, &d, Switch)
	wantMoney(t, "on-demand", d.Current.Monthly.Expected, "$164.25")
	wantMoney(t, "recommended writes", d.Best.Parts[1].Monthly, "$67.85")
	for _, o := range d.Options {
		if o.Mode == ModeProvisioned && o.Parts[1].Mean > 100/0.5 {
			t.Errorf("%s has a mean of %v WCU for 100 units/s", o.Name, o.Parts[1].Mean)
		}
	}
}

func o43(m int) float64 {
	u := 20.0
	if m/minutesPerDay%7 == 0 && m%minutesPerDay >= 540 && m%minutesPerDay < 780 {
		u += 580 * min(1, float64(m%minutesPerDay-540)/10)
	}
	return u
}

// O43: three days without a Monday, and three weeks.
func TestO43MissesMonday(t *testing.T) {
	all := days(21, o43)
	short := metrics(nil, all[minutesPerDay:4*minutesPerDay])
	for i := range short.Series[0].Points { // Tuesday to Thursday
		short.Series[0].Points[i].Start += minutesPerDay * 60
	}
	a := decide(t, onDemandTable(), short)
	wantVerdict(t, &a, InsufficientData)
	if a.Recommended != nil || len(a.Options) == 0 {
		t.Error("window of 3 days: expected options and no recommendation")
	}
	b := decide(t, onDemandTable(), metrics(flatDays(21, 0), all))
	wantMoney(t, "on-demand", b.Current.Monthly.Expected, "$55.01")
	naive := optionNamed(t, &b, "auto-scaled 70 %, minimum 1")
	if naive.ThrottledMinutes < 30 || naive.ThrottledMinutes > 60 || naive.Rejected == "" {
		t.Errorf("auto-scaled: %d throttled minutes (%q), expected about 15 each Monday and rejected", naive.ThrottledMinutes, naive.Rejected)
	}
	if !within(naive.Parts[1].Monthly, 23.28, 0.05) {
		t.Errorf("auto-scaled %v, expected about $23.28", naive.Parts[1].Monthly)
	}
	if naive.Settings[0].Write.Max < 858 {
		t.Errorf("maximum %d, expected at least 858", naive.Settings[0].Write.Max)
	}
	capped := decide(t, scaledTable(1, 58), metrics(flatDays(21, 0), all))
	if s := capped.Current.ThrottledShare; s < 0.33 || s > 0.43 {
		t.Errorf("maximum 58 throttles %.3f, expected about 38 %%", s)
	}
}

// A whole week without one weekday cannot switch either.
func TestEveryWeekdayIsNeeded(t *testing.T) {
	load := flatDays(15, 500)
	for m := range load {
		if m/minutesPerDay%7 == 2 {
			load[m] = nan()
		}
	}
	d := decide(t, onDemandTable(), metrics(load, load))
	wantVerdict(t, &d, InsufficientData)
	if !strings.Contains(d.Reasons[0], "Wednesday") {
		t.Errorf("reason %q does not name Wednesday", d.Reasons[0])
	}
}

// Without the current mode options are compared and nothing is claimed.
func TestUnknownModeClaimsNothing(t *testing.T) {
	tab := onDemandTable()
	tab.Billing = unresolved[string]("!Ref Mode has no default")
	d := decide(t, tab, metrics(nil, flatDays(14, 500)))
	wantVerdict(t, &d, InsufficientData)
	if d.Saving.Expected.Known() || d.Current != nil || d.Recommended != nil || d.Best == nil {
		t.Errorf("saving %v, current %v, recommended %v: expected none, and a best option", d.Saving.Expected, d.Current, d.Recommended)
	}
	if !strings.Contains(d.Reasons[0], "!Ref Mode") {
		t.Errorf("reason %q does not say why", d.Reasons[0])
	}
}

// No metric at all is not $0.
func TestNoDatapointIsInsufficient(t *testing.T) {
	d := decide(t, fixedTable(5, 5), nil)
	wantVerdict(t, &d, InsufficientData)
	if len(d.Options) != 0 || d.Saving.Expected.Known() {
		t.Errorf("%d options, saving %v: expected none", len(d.Options), d.Saving.Expected)
	}
}

// O57: no datapoint is idle only on an empty table older than the window.
func TestO57NoSeries(t *testing.T) {
	in := DecideInput{Table: fixedTable(5, 5), Book: defaultBook(t), Region: region, Limits: DefaultLimits(), From: atMonday(0), To: atMonday(21 * minutesPerDay)}
	in.Table.ItemCount = written[int64](0)
	in.Table.Created = written[int64](monday - 86400)
	old := Decide(in)
	wantVerdict(t, &old, LeaveAlone)
	wantMoney(t, "idle 5/5", old.Current.Monthly.Expected, "$2.85")
	in.Table.Created = written[int64](monday + 19*86400)
	young := Decide(in)
	wantVerdict(t, &young, InsufficientData)
}

// Section 7, closed forms over 14 days at 70 %.
func TestSection7ClosedForms(t *testing.T) {
	read, write := flatDays(14, 70), flatDays(14, 7)
	steady := decide(t, onDemandTable(), metrics(read, write))
	for i, want := range []string{"$23.00", "$11.50"} { // 22.995 and 11.4975
		wantMoney(t, "steady on demand", steady.Current.Parts[i].Monthly, want)
	}
	seventy := optionNamed(t, &steady, "auto-scaled 70 %")
	for i, want := range []string{"$9.49", "$4.75"} { // 4.745
		wantMoney(t, "steady provisioned", seventy.Parts[i].Monthly, want)
	}
	over := decide(t, fixedTable(1000, 1000), metrics(flatDays(14, 70), flatDays(14, 70)))
	wantVerdict(t, &over, Switch)
	for i, want := range []string{"$9.49", "$47.45"} {
		wantMoney(t, "overprov auto-scaled", optionNamed(t, &over, "auto-scaled 70 %").Parts[i].Monthly, want)
	}
	for i, want := range []string{"$23.00", "$114.98"} { // 114.975
		wantMoney(t, "overprov on demand", optionNamed(t, &over, "on-demand").Parts[i].Monthly, want)
	}
	right := decide(t, fixedTable(100, 10), metrics(read, write))
	wantVerdict(t, &right, Keep)
	wantMoney(t, "prov 100/10", right.Current.Monthly.Expected, "$14.24") // 14.235
	idle := decide(t, fixedTable(100, 100), metrics(flatDays(14, 0), flatDays(14, 0)))
	wantVerdict(t, &idle, Switch)
	wantMoney(t, "idle on demand", optionNamed(t, &idle, "on-demand").Monthly.Expected, "$0.00")
}

// Section 7: one mode for the whole table, whatever its directions would
// choose apart; the fast spikes decide for on-demand.
func TestSection7SpikyHasOneMode(t *testing.T) {
	spikes := func(high float64) []float64 {
		return days(14, func(m int) float64 {
			if m%720 < 5 {
				return high
			}
			return 1
		})
	}
	d := decide(t, onDemandTable(), metrics(spikes(1000), spikes(100)))
	wantVerdict(t, &d, Keep)
	if d.Best.Mode != ModeOnDemand {
		t.Errorf("best is %s, expected on-demand", d.Best.Name)
	}
	wantMoney(t, "reads on demand", d.Best.Parts[0].Monthly, "$2.61")
}

// The table moves with its index: a GSI whose series is missing leaves no
// total, and one that is there is in every option.
func TestIndexIsInEveryOption(t *testing.T) {
	tab, m := readFixture(t, "wave")
	d := decide(t, tab, m)
	for _, o := range d.Options {
		if len(o.Parts) != 4 {
			t.Fatalf("%s has %d parts, expected reads and writes of table and index", o.Name, len(o.Parts))
		}
	}
	if d.Recommended == nil || d.Recommended.Mode != ModeProvisioned || d.Verdict != Switch {
		t.Errorf("verdict %s: %q; a smooth wave switches to provisioned", d.Verdict, d.Reasons[0])
	}
	var without table.Metrics
	for _, s := range m.Series {
		if s.Index == "" {
			without.Series = append(without.Series, s)
		}
	}
	d = decide(t, tab, &without)
	wantVerdict(t, &d, InsufficientData)
	if len(d.Options) != 0 || !strings.Contains(d.Reasons[0], `no such series: ConsumedReadCapacityUnits of index "byStatus"`) {
		t.Errorf("%d options, reason %q", len(d.Options), d.Reasons[0])
	}
}

// Any rounding of a decision is deterministic.
func TestDecideIsDeterministic(t *testing.T) {
	tab, m := readFixture(t, "wave")
	a, b := decide(t, tab, m), decide(t, tab, m)
	if x, y := fmt.Sprint(a.Reasons, a.Saving, a.Sensitivity, a.Flip), fmt.Sprint(b.Reasons, b.Saving, b.Sensitivity, b.Flip); x != y {
		t.Errorf("two runs differ:\n%s\n%s", x, y)
	}
}
