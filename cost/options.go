package cost

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"ddbvet/internal/table"
)

// IndexSetting is the capacity of the table (Index "") or of one GSI.
type IndexSetting struct {
	Index       string
	Read, Write Setting
}

// Option is one mode, setting and class for the whole table with its GSIs.
type Option struct {
	Name     string
	Mode     string         // ModeOnDemand or ModeProvisioned
	Class    string         // table.Standard or table.InfrequentAccess
	Settings []IndexSetting // of a provisioned option, the table first
	Current  bool           // today's mode, settings and class

	Monthly Range        // throughput, and storage where it is known
	Storage Money        // unknown: the stored size is not known and is in no option
	Parts   []OptionPart // throughput by resource and direction

	ThrottledUnits   float64 // in the window, all series
	ThrottledShare   float64 // of the demanded units, 0 to 1
	ThrottledMinutes int     // in the window, in which anything throttles
	ThrottledWeekly  float64 // minutes a week
	Rejected         string  // why it may not be recommended; "": it may
	Warnings         []string

	least, most Money // with the least and the most traffic, without the hourly bound
}

// OptionPart is the throughput of one direction of one resource.
type OptionPart struct {
	Index     string
	Direction Direction
	Mean      float64 // units a second: consumed on demand, else provisioned
	Monthly   Money
}

// targets are the utilisations tried, in percent.
var targets = [...]int{50, 60, 70, 80, 90}

// options are all options; today's is among them where it is known.
func (s *study) options() []Option {
	var out []Option
	add := func(name, mode string, settings []IndexSetting) {
		out = append(out, s.price(name, mode, settings, s.tariffs)...)
	}
	if s.now.mode == ModeProvisioned && len(s.now.unknown) == 0 {
		out = append(out, s.todaysOptions()...)
	}
	add("on-demand", ModeOnDemand, nil)
	for i := range out {
		out[i].Current = out[i].Current || s.now.mode == ModeOnDemand && out[i].Class == s.tariffs[0].class
	}
	fits := make([]*fit, 2*len(s.demand.Resources))
	for i := range fits {
		fits[i] = s.fit(i)
	}
	for _, target := range targets {
		s.scaledOptions(fits, target, add)
	}
	if own, name := ownTargets(fits); name != "" {
		add(name, ModeProvisioned, own)
	}
	add("fixed", ModeProvisioned, settingsOf(fits, (*fit).fixed))
	for i := range out {
		s.limitTarget(&out[i])
	}
	return out
}

// limitTarget rejects a utilisation that minutes cannot vouch for.
func (s *study) limitTarget(o *Option) {
	for _, set := range o.Settings {
		if t := max(set.Read.Target, set.Write.Target); t > s.in.Limits.MaxTarget && !o.Current && o.Rejected == "" {
			o.Rejected = fmt.Sprintf("asks for a target of %d %%, above the limit of %d %%: minutes hide what happens in their seconds", t, s.in.Limits.MaxTarget)
		}
	}
}

// scaledOptions adds auto scaling at a target as it is usually set and, where
// that throttles too much, with the minimum that does not.
func (s *study) scaledOptions(fits []*fit, target int, add func(string, string, []IndexSetting)) {
	naive := settingsOf(fits, func(f *fit) Setting { return f.naive(target) })
	if s.rejected(s.provisioned(naive, 1)) != "" {
		add(fmt.Sprintf("auto-scaled %d %%, minimum 1", target), ModeProvisioned, naive)
	}
	add(fmt.Sprintf("auto-scaled %d %%", target), ModeProvisioned, settingsOf(fits, func(f *fit) Setting { return f.scaled(target) }))
}

// ownTargets is each direction of each resource at its own cheapest target,
// and its name; "" where one of the listed targets is that already.
func ownTargets(fits []*fit) ([]IndexSetting, string) {
	var seen []int
	for _, f := range fits {
		if t := f.best().Target; f.peak > 0 && !slices.Contains(seen, t) {
			seen = append(seen, t)
		}
	}
	switch {
	case len(seen) == 0 || len(seen) == 1 && slices.Contains(targets[:], seen[0]):
		return nil, ""
	case len(seen) == 1:
		return settingsOf(fits, (*fit).best), fmt.Sprintf("auto-scaled %d %%", seen[0])
	}
	return settingsOf(fits, (*fit).best), "auto-scaled, own targets"
}

// settingsOf chooses a setting for each direction of each resource.
func settingsOf(fits []*fit, choose func(*fit) Setting) []IndexSetting {
	out := make([]IndexSetting, len(fits)/2)
	for i := range out {
		out[i] = IndexSetting{fits[2*i].index, choose(fits[2*i]), choose(fits[2*i+1])}
	}
	return out
}

// try runs a mode on traffic × scale.
func (s *study) try(mode string, settings []IndexSetting, scale float64) trial {
	if mode == ModeOnDemand {
		return s.onDemand(scale)
	}
	return s.provisioned(settings, scale)
}

// price makes one option of a mode and its settings for each class.
func (s *study) price(name, mode string, settings []IndexSetting, tariffs []tariff) []Option {
	least, mid, most := s.try(mode, settings, s.low), s.try(mode, settings, 1), s.try(mode, settings, s.high)
	out := make([]Option, 0, len(tariffs))
	for _, t := range tariffs {
		o := Option{Name: optionName(name, t.class), Mode: mode, Class: t.class, Settings: settings, Warnings: slices.Concat(mid.warnings, s.aboveQuota(settings), s.onBurst(mid))}
		demanded, throttled := mid.totals()
		o.ThrottledUnits, o.ThrottledMinutes, o.ThrottledWeekly = throttled, mid.minutes, s.perWeek(float64(mid.minutes))
		if demanded > 0 {
			o.ThrottledShare = throttled / demanded
		}
		o.Rejected = s.rejected(mid)
		o.Parts = parts(mid, t)
		if s.sized {
			o.Storage = monthlyStorage(s.bytes, t.storage)
		}
		o.least, o.most = s.total(least, t, false), s.total(most, t, false)
		o.Monthly = Range{o.least, s.total(mid, t, false), larger(o.most, s.total(mid, t, true))}
		out = append(out, o)
	}
	return out
}

// optionName is the name of an option in a class.
func optionName(name, class string) string {
	if class == table.InfrequentAccess {
		return name + ", Standard-IA"
	}
	return name
}

// tableQuota is the units a second that a table, and each GSI, may have unless
// the account has asked for more (developer guide, service quotas).
const tableQuota = 40_000

// aboveQuota warns of capacity that an account has to ask for first: of the
// settings, or of the highest minute on demand.
func (s *study) aboveQuota(settings []IndexSetting) (out []string) {
	for i := range s.demand.Resources {
		r := &s.demand.Resources[i]
		for _, dir := range []Direction{ReadSide, WriteSide} {
			most := r.side(dir).Peak()
			if i < len(settings) {
				set := settings[i].Read
				if dir == WriteSide {
					set = settings[i].Write
				}
				most = float64(max(set.Units, set.Max))
			}
			if most > tableQuota {
				out = append(out, fmt.Sprintf("%s units/s of %ss of %s are above the default quota of %d: have it raised first", count(most), dir, resourceName(r.Index), tableQuota))
			}
		}
	}
	return out
}

// onBurst tells how much of a trial lives on burst capacity, which the service
// gives at best effort (developer guide), where it is more than a throttling
// limit of minutes.
func (s *study) onBurst(t trial) (out []string) {
	for _, ts := range t.series {
		if week := s.perWeek(float64(ts.burst)); week > s.in.Limits.ThrottledMinutes {
			out = append(out, fmt.Sprintf("%ss of %s are above the capacity in %.0f minutes a week and live on burst capacity there, which is best effort", ts.dir, resourceName(ts.index), week))
		}
	}
	return out
}

// todaysOptions are the provisioned settings of today in each class, at the
// measured capacity where the metrics have it.
func (s *study) todaysOptions() []Option {
	out := s.price("today's settings", ModeProvisioned, s.now.settings, s.tariffs)
	for i := range out {
		out[i].Current = i == 0
		s.measure(&out[i], s.tariffs[i])
	}
	return out
}

// measure moves an option from the simulated to the measured capacity: the
// simulation says how traffic moves the bill, the metrics where it is.
func (s *study) measure(o *Option, with tariff) {
	diff, above := USD(decimal.Zero), USD(decimal.Zero)
	for i := range o.Parts {
		p := &o.Parts[i]
		mean, top, ok := billedCapacity(s.demand.Resources[i/2].side(p.Direction).Provisioned, s.demand.From, s.minuteOfDay())
		if !ok {
			continue
		}
		hour := with.capacity(p.Direction)
		measured := monthlyCapacity(mean, hour)
		diff = diff.Add(measured.Sub(p.Monthly))
		above = above.Add(monthlyCapacity(top, hour).Sub(measured))
		p.Mean, p.Monthly = mean, measured
	}
	o.least, o.most = o.least.Add(diff), o.most.Add(diff)
	o.Monthly.Low = o.least
	o.Monthly.Expected = o.Monthly.Expected.Add(diff)
	o.Monthly.High = larger(o.Monthly.High.Add(diff), o.Monthly.Expected.Add(above))
}

// parts price the mean of each series of a trial.
func parts(t trial, with tariff) []OptionPart {
	out := make([]OptionPart, len(t.series))
	for i, ts := range t.series {
		out[i] = OptionPart{ts.index, ts.dir, ts.mean, amountOf(t.mode, ts.dir, ts.mean, with)}
	}
	return out
}

func amountOf(mode string, dir Direction, units float64, with tariff) Money {
	if mode == ModeOnDemand {
		return monthlyRequests(units, with.request(dir))
	}
	return monthlyCapacity(units, with.capacity(dir))
}

// total is the month of a trial with storage, by means or by hourly maxima.
func (s *study) total(t trial, with tariff, bound bool) Money {
	sum := USD(decimal.Zero)
	for _, ts := range t.series {
		units := ts.mean
		if bound {
			units = ts.bound
		}
		sum = sum.Add(amountOf(t.mode, ts.dir, units, with))
	}
	if s.sized {
		sum = sum.Add(monthlyStorage(s.bytes, with.storage))
	}
	return sum
}

// less tells whether both amounts are known and a is lower.
func less(a, b Money) bool {
	x, okA := a.Get()
	y, okB := b.Get()
	return okA && okB && x.LessThan(y)
}

func larger(a, b Money) Money {
	if less(a, b) {
		return b
	}
	return a
}
