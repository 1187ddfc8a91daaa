package cost

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// pick finds the current and the best option and what lies between them.
func (s *study) pick(d *Decision) {
	for i := range d.Options {
		o := &d.Options[i]
		if o.Current {
			d.Current = o
		}
		if o.Rejected == "" && (d.Best == nil || less(o.Monthly.Expected, d.Best.Monthly.Expected)) {
			d.Best = o
		}
	}
	if d.Current == nil || d.Best == nil {
		return
	}
	saved := []Money{
		d.Current.least.Sub(d.Best.least), d.Current.Monthly.Expected.Sub(d.Best.Monthly.Expected), d.Current.most.Sub(d.Best.most),
	}
	d.Saving = Range{saved[0], saved[1], saved[0]}
	for _, m := range saved {
		if less(m, d.Saving.Low) {
			d.Saving.Low = m
		}
		d.Saving.High = larger(d.Saving.High, m)
	}
	now, _ := d.Current.Monthly.Expected.Get()
	if saving, ok := d.Saving.Expected.Get(); ok && now.IsPositive() {
		d.SavingShare = saving.Div(now).InexactFloat64()
	}
}

// judge sets the verdict, what to run, and the reasons, the verdict's first.
func (s *study) judge(d *Decision) {
	var why string
	d.Verdict, why = s.verdict(d)
	switch d.Verdict {
	case Switch:
		d.Recommended = d.Best
	case Keep, LeaveAlone:
		d.Recommended = d.Current
	}
	s.claim(d)
	d.Reasons = append([]string{why}, s.coverageReason()...)
	d.Reasons = append(d.Reasons, s.demand.Notes...)
	d.Reasons = append(d.Reasons, s.now.assumed...)
	d.Reasons = append(d.Reasons, s.optionReasons(d)...)
	d.Reasons = append(d.Reasons, s.scopeReasons()...)
}

// claim leaves a saving only where the verdict is about one: what is cheaper
// for a demand that is not known, or that is hidden by throttling, is no saving
// and must not be added up as one.
func (s *study) claim(d *Decision) {
	switch {
	case d.Verdict == Switch, d.Verdict == LeaveAlone, d.Verdict == Keep && d.Best == d.Current:
	default:
		d.Saving, d.SavingShare = Range{}, 0
	}
}

// verdict decides, most binding first: what is not known, what the history
// forbids, and then the money.
func (s *study) verdict(d *Decision) (Verdict, string) {
	if why := s.unknown(d); why != "" {
		return InsufficientData, why
	}
	if v, why := s.history(); why != "" {
		return v, why
	}
	now, best := d.Current, d.Best
	saving, _ := d.Saving.Expected.Get()
	switch {
	case best == nil:
		return Keep, "no option keeps the limits of throttling"
	case best == now || !saving.IsPositive():
		if now.Rejected != "" {
			return Keep, fmt.Sprintf("keep %s at %s a month: in the simulation it %s, but CloudWatch shows no more throttling than the limit and nothing cheaper is within it", now.Name, now.Monthly.Expected, now.Rejected)
		}
		return Keep, fmt.Sprintf("keep %s at %s a month: nothing within the limits of throttling is cheaper", now.Name, now.Monthly.Expected)
	case !saving.GreaterThan(decimal.NewFromFloat(s.in.Limits.MinSaving)) || d.SavingShare <= s.in.Limits.MinSavingShare:
		return LeaveAlone, fmt.Sprintf("leave %s at %s a month: %s would save %s (%s), and both $%s and %s must be exceeded",
			now.Name, now.Monthly.Expected, best.Name, d.Saving.Expected, percent(d.SavingShare), count(s.in.Limits.MinSaving), percent(s.in.Limits.MinSavingShare)) + doubtful(now)
	case best.Mode == ModeProvisioned && s.demand.Coverage.FineDays < s.in.Limits.MinDays:
		return InsufficientData, fmt.Sprintf("%s would save %s a month, but only %d full days have points of %d s or less, fewer than %d: coarser ones hide the peaks that throttle",
			best.Name, d.Saving.Expected, s.demand.Coverage.FineDays, finePeriod, s.in.Limits.MinDays)
	}
	return Switch, fmt.Sprintf("switch to %s: %s a month instead of %s saves %s (%s)",
		best.Name, best.Monthly.Expected, now.Monthly.Expected, d.Saving.Expected, percent(d.SavingShare))
}

// doubtful warns of today's settings where only the simulation throttles them.
func doubtful(now *Option) string {
	if now.Rejected == "" {
		return ""
	}
	return "; in the simulation it " + now.Rejected + ", which CloudWatch does not show: if requests are throttled, change it for that and not for the money"
}

// unknown says what is missing for any claim; "" where nothing is.
func (s *study) unknown(d *Decision) string {
	c := s.demand.Coverage
	switch {
	case len(s.faults) > 0:
		return strings.Join(s.faults, "; ")
	case len(s.demand.Missing) > 0:
		return s.demand.missingText()
	case len(s.demand.Doubts) > 0:
		return strings.Join(s.demand.Doubts, "; ")
	case c.FullDays < s.in.Limits.MinDays:
		return fmt.Sprintf("%d full days are known, fewer than the %d that a recommendation needs", c.FullDays, s.in.Limits.MinDays)
	case !c.Every():
		return "no " + missingWeekdays(c.Weekdays) + " is known: every weekday is needed for a recommendation"
	case len(s.now.unknown) > 0:
		return strings.Join(s.now.unknown, "; ") + ": options are compared, but no saving can be claimed"
	case d.Current == nil:
		return "the current option cannot be priced: options are compared, but no saving can be claimed"
	case s.in.Table.Class.Unresolved():
		return "the table class is not known" + because(s.in.Table.Class.Why) + ": options are compared at Standard prices, but no saving can be claimed"
	}
	return ""
}

func missingWeekdays(seen []time.Weekday) string {
	var out []string
	for day := time.Sunday; day <= time.Saturday; day++ {
		found := false
		for _, s := range seen {
			found = found || s == day
		}
		if !found {
			out = append(out, day.String())
		}
	}
	return strings.Join(out, ", ")
}

// history says why the throttling of the past forbids a claim; "" where it
// does not. Demand above a cap is unknown, and a hot key throttles in any mode.
func (s *study) history() (Verdict, string) {
	var events, hot, uncapped float64
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		for _, dir := range []Direction{ReadSide, WriteSide} {
			h := &r.side(dir).Throttles
			if n := h.CensoredMinutes(); n > 0 {
				return FixFirst, fmt.Sprintf("%ss of %s stood at their capacity (%s units/s) for %d minutes while requests were throttled: demand above the cap is unknown; raise the capacity or its maximum, or go on-demand, and measure again before comparing",
					dir, resourceName(r.Index), count(h.Censored[0].Cap), n)
			}
			events, hot, uncapped = events+h.Minutes, hot+h.HotMinutes, uncapped+h.Uncapped
		}
	}
	if s.perWeek(events) <= s.in.Limits.ThrottledMinutes {
		return "", ""
	}
	week := fmt.Sprintf("%.1f minutes a week", s.perWeek(events))
	switch {
	case s.perWeek(hot) > s.in.Limits.ThrottledMinutes:
		return FixFirst, fmt.Sprintf("requests are throttled in %s on one key range, or with less than %.0f %% of the capacity used: a hot key or bursts of seconds, which no mode cures; find the key first", week, 100*hotShare)
	case s.perWeek(uncapped) > s.in.Limits.ThrottledMinutes && s.now.mode == ModeOnDemand:
		return FixFirst, fmt.Sprintf("requests are throttled in %s on demand: a hot key, or traffic that doubles within %d minutes; find which first", week, surgeMinutes)
	case s.perWeek(uncapped) > s.in.Limits.ThrottledMinutes:
		return FixFirst, fmt.Sprintf("requests are throttled in %s and the capacity of those minutes is not known: a full table or a hot key; add ProvisionedReadCapacityUnits and ProvisionedWriteCapacityUnits to the metrics, or find the key, before comparing prices", week)
	}
	return Keep, fmt.Sprintf("requests are throttled in %s today, so demand is higher than what was consumed: raise the capacity before comparing prices", week)
}

func (s *study) coverageReason() []string {
	c := s.demand.Coverage
	if s.demand.Minutes == 0 {
		return nil
	}
	out := []string{fmt.Sprintf("metrics cover %.1f days from %s to %s UTC, %s of the window, mostly at %d s",
		c.Days, c.From.Format("2006-01-02"), c.To.Format("2006-01-02"), percent(c.Share), c.PeriodSeconds)}
	if c.Coarsest > 60 {
		out = append(out, fmt.Sprintf("some points are of %d s and are spread evenly: they cannot prove the absence of spikes", c.Coarsest))
	}
	if s.demand.From > 0 || c.WholeWeeks > 0 {
		out = append(out, fmt.Sprintf("money is the newest %d whole weeks scaled to %d hours", c.WholeWeeks, HoursPerMonth))
	} else {
		out = append(out, fmt.Sprintf("money is the covered time scaled to %d hours: there is no whole week", HoursPerMonth))
	}
	return out
}

// optionReasons explain the shape of the load, a rejected cheaper option, and
// what a switch costs in freedom.
func (s *study) optionReasons(d *Decision) (out []string) {
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		for _, dir := range []Direction{ReadSide, WriteSide} {
			if mean, peak := mean(r.side(dir).Units), r.side(dir).Peak(); peak > 0 {
				out = append(out, fmt.Sprintf("%ss of %s: mean %s, highest minute %s units/s (%.1f times the mean)",
					dir, resourceName(r.Index), count(mean), count(peak), peak/mean))
			}
		}
	}
	out = append(out, s.growth()...)
	if d.Best == nil {
		return out
	}
	var cheapest *Option
	for i := range d.Options {
		o := &d.Options[i]
		if o.Rejected != "" && less(o.Monthly.Expected, d.Best.Monthly.Expected) && (cheapest == nil || less(o.Monthly.Expected, cheapest.Monthly.Expected)) {
			cheapest = o
		}
	}
	if cheapest != nil {
		out = append(out, fmt.Sprintf("%s would cost %s a month but is rejected: it %s", cheapest.Name, cheapest.Monthly.Expected, cheapest.Rejected))
	}
	out = append(out, d.Best.Warnings...)
	if d.Verdict == Switch && d.Current.Class != d.Best.Class {
		out = append(out, "the table class may change twice in 30 days")
	}
	return out
}

// growth names what rose by more than the headroom from the last whole week but
// one to the last: settings that hold the highest minute of the window hold it
// for few weeks more.
func (s *study) growth() (out []string) {
	end := s.demand.Minutes
	if s.demand.Coverage.WholeWeeks < 2 {
		return nil
	}
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		for _, dir := range []Direction{ReadSide, WriteSide} {
			units := r.side(dir).Units
			before, now := mean(units[end-2*minutesPerWeek:end-minutesPerWeek]), mean(units[end-minutesPerWeek:])
			if before > 0 && now > before*s.in.Limits.Headroom {
				out = append(out, fmt.Sprintf("%ss of %s rose from %.1f to %.1f units/s from the week before to the newest: money and settings are of the whole window, so look again soon",
					dir, resourceName(r.Index), before, now))
			}
		}
	}
	return out
}

func mean(units []float64) float64 {
	sum, n := 0.0, 0
	for _, u := range units {
		if u == u {
			sum += u
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// scopeReasons say what no option holds.
func (s *study) scopeReasons() (out []string) {
	out = append(out, "reservations and savings plans not considered, nor the free tier")
	if !s.sized {
		out = append(out, "storage is in no option, and the other table class is not compared: the stored size is not known")
	}
	t := s.in.Table
	switch {
	case !t.Replicas.Complete():
		out = append(out, "replicas in other Regions are not priced: whether there are any is not known")
	case len(t.Replicas.Items) > 0:
		out = append(out, fmt.Sprintf("replicas are not priced: %d are listed, and the mode and its write capacity apply to all of them", len(t.Replicas.Items)))
	}
	if source.Is(t.PITR, true) {
		out = append(out, "point-in-time recovery costs the same in every option and is in none")
	}
	throttles := false
	for _, r := range s.demand.Resources {
		throttles = throttles || r.Read.Throttles.Given || r.Write.Throttles.Given
	}
	if !throttles && s.demand.Minutes > 0 {
		out = append(out, "there is no throttle metric, which CloudWatch sends only when something is throttled: today's throttling is taken as none")
	}
	if len(s.tariffs) > 0 && source.Is(t.Class, table.InfrequentAccess) {
		out = append(out, "today's class is Standard-IA")
	}
	return out
}
