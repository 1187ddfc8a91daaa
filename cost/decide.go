package cost

import (
	"time"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Verdict is what to do about a table's capacity mode.
type Verdict string

// The verdicts.
const (
	Switch           Verdict = "switch"            // to Recommended; saves more than the floor and throttles no more
	Keep             Verdict = "keep"              // nothing allowed is cheaper, or the history forbids a change
	LeaveAlone       Verdict = "leave_alone"       // something is cheaper, but by less than the floor
	InsufficientData Verdict = "insufficient_data" // too little is known to claim anything
	FixFirst         Verdict = "fix_first"         // demand is hidden by a cap, or a key is hot: no mode cures that
)

// The modes of an option.
const (
	ModeOnDemand    = "on_demand"
	ModeProvisioned = "provisioned"
)

// Limits are the thresholds of a decision.
type Limits struct {
	MinSaving        float64  // dollars a month that a saving must exceed
	MinSavingShare   float64  // and the share of today's cost, 0 to 1, that it must exceed
	ThrottledShare   float64  // of the units of a series, 0 to 1, above today's
	ThrottledMinutes float64  // a week, above today's
	MinDays          int      // full days without which no switch is claimed
	MaxTarget        int      // highest utilisation, percent, that is recommended: minutes hide what happens in their seconds
	Headroom         float64  // least maximum of auto scaling, as a factor on the highest minute
	Rules            SimRules // of the simulator
}

// DefaultLimits are the product's: $10 and 10 %, 0.01 % of units or 5 minutes
// a week, 7 days, 70 % (the console's own target), room for 20 % more traffic.
func DefaultLimits() Limits {
	return Limits{
		MinSaving: 10, MinSavingShare: 0.10, ThrottledShare: 0.0001, ThrottledMinutes: 5,
		MinDays: 7, MaxTarget: 70, Headroom: 1.2, Rules: DefaultSimRules(),
	}
}

// DecideInput is what a decision rests on.
type DecideInput struct {
	Table   *table.Table   // the current settings; a value that is not known limits what is claimed
	Metrics *table.Metrics // nil: no datapoint was found
	Book    *Book
	Region  string // whose prices count
	Limits  Limits
	// From and To are the window that was asked for, where that is known. A
	// table without any datapoint is idle only when it is older than From and
	// shown empty.
	From, To time.Time
}

// Range is monthly money: with the least, the observed and the most traffic.
// High also bounds an hourly bill by each hour's highest capacity.
type Range struct{ Low, Expected, High Money }

// Decision is the capacity-mode decision of one table with all its GSIs.
type Decision struct {
	Table, Region, PricesDate string
	Verdict                   Verdict
	Current                   *Option  // nil where the current mode or capacity is not known
	Recommended               *Option  // what to run; nil where nothing can be claimed, or where the table has to be mended first
	Best                      *Option  // the cheapest option within the limits; nil without any
	Options                   []Option // none where no series has a day of minutes: minutes are no month
	Saving                    Range    // of Best against Current; unknown where either is, or where the verdict claims none
	SavingShare               float64  // of Current's expected money, 0 to 1
	Demand                    Demand
	Reasons                   []string // the first says the verdict
	Sensitivity               []SensitivityRow
	Flip                      Flip
}

// Coverage is the demand's.
func (d *Decision) Coverage() Coverage { return d.Demand.Coverage }

// Decide compares the capacity modes, settings and classes of one table for
// the demand in its metrics. It never fails: what it cannot know is a reason.
func Decide(in DecideInput) Decision {
	s := newStudy(in)
	d := Decision{Table: in.Table.DisplayName(), Region: in.Region, PricesDate: in.Book.Date, Demand: s.demand}
	if len(s.demand.Missing) == 0 && len(s.tariffs) > 0 && s.demand.longest() >= minutesPerDay {
		d.Options = s.options()
		s.pick(&d)
		s.sensitivity(&d)
	}
	s.judge(&d)
	return d
}

// study is one decision in the making.
type study struct {
	in        DecideInput
	demand    Demand
	now       current
	tariffs   []tariff // the table's own class first
	bytes     int64    // billed storage
	sized     bool     // whether bytes is known
	faults    []string // why nothing can be priced
	low, high float64  // traffic factors of the range
	throttled []bool   // scratch of trials
	today     float64  // throttled minutes a week
}

func newStudy(in DecideInput) *study {
	s := &study{in: in, demand: DemandOf(in.Table, in.Metrics)}
	s.idleWithoutData()
	s.bytes, s.sized = billedBytes(in.Table)
	s.setTariffs()
	s.now = currentOf(in.Table, &s.demand)
	s.low, s.high = s.trafficRange()
	s.throttled = make([]bool, s.demand.Minutes)
	for _, r := range s.demand.Resources {
		s.today = max(s.today, s.perWeek(r.Read.Throttles.Minutes), s.perWeek(r.Write.Throttles.Minutes))
	}
	return s
}

// idleWithoutData reads a table without any datapoint as idle where that is
// shown: it is older than the window and empty.
func (s *study) idleWithoutData() {
	t, w := s.in.Table, s.in.To.Sub(s.in.From)
	created, known := t.Created.Get()
	if s.demand.Minutes > 0 || w < time.Minute || !known || created >= s.in.From.Unix() || !source.Is(t.ItemCount, 0) || !t.GSIs.Complete() {
		return
	}
	n := min(int(w/time.Minute), maxClock)
	d := Demand{Start: s.in.To.Unix()/60*60 - int64(n)*60, Minutes: n}
	d.note("no datapoint in the window, the table is older than it and has no items: taken as idle")
	zero := SeriesDemand{Units: make([]float64, n), Known: n, AssumedZero: true, Periods: []PeriodMinutes{{60, n}}}
	for _, index := range d.indexes(t, &table.Metrics{}) {
		d.Resources = append(d.Resources, ResourceDemand{Index: index, Read: zero, Write: zero})
	}
	d.Coverage = coverageOf(&d)
	if weeks := d.Coverage.WholeWeeks; weeks > 0 {
		d.From = n - weeks*minutesPerWeek
	}
	s.demand = d
}

// setTariffs prices the table's class, and the other where storage is known.
func (s *study) setTariffs() {
	class, known := s.in.Table.Class.Get()
	if !known {
		class = table.Standard
	}
	other := table.InfrequentAccess
	if class == other {
		other = table.Standard
	}
	own, err := tariffOf(s.in.Book, s.in.Region, class)
	if err != nil {
		s.faults = append(s.faults, err.Error())
		return
	}
	s.tariffs = append(s.tariffs, own)
	if !s.sized {
		return
	}
	if t, err := tariffOf(s.in.Book, s.in.Region, other); err == nil {
		s.tariffs = append(s.tariffs, t)
	}
}

// billedBytes is the stored size of table and indexes with the 100 bytes an
// item that storage bills add (developer guide, "item sizes and formats").
func billedBytes(t *table.Table) (int64, bool) {
	const overhead = 100
	size, ok := t.SizeBytes.Get()
	items, counted := t.ItemCount.Get()
	if !ok || !counted || !t.GSIs.Complete() || !t.LSIs.Complete() {
		return 0, false
	}
	total := size + items*overhead
	for _, ix := range t.Indexes() {
		size, ok := ix.SizeBytes.Get()
		items, counted := ix.ItemCount.Get()
		if !ok || !counted {
			return 0, false
		}
		total += size + items*overhead
	}
	return total, true
}

// perWeek scales a number of minutes of the window to a week.
func (s *study) perWeek(minutes float64) float64 {
	if days := s.demand.Coverage.Days; days > 0 {
		return minutes * 7 / days
	}
	return 0
}
