package cost

import (
	"fmt"
)

// SensitivityRow is what on-demand and one provisioned option would cost under
// a changed assumption.
type SensitivityRow struct {
	What             string
	Traffic          float64 // factor on today's traffic
	Target           int     // of a row about the target utilisation, percent; else 0
	OnDemand         Money
	Provisioned      Money // settings unchanged when traffic changes
	ThrottledShare   float64
	ThrottledMinutes float64 // a week
	Rejected         string  // why the provisioned option fails in this row
	Cheaper          string  // ModeOnDemand, ModeProvisioned, or "" where it is a tie or neither is known
}

// Flip is where the cheaper mode changes, with the settings unchanged.
type Flip struct {
	Found   bool
	Below   bool    // on-demand is cheaper below Traffic; else provisioned is cheaper above it
	Traffic float64 // factor on today's traffic
	Price   float64 // factor on today's on-demand price at which both cost the same; 0: not known
	Text    string
}

// traffics are the factors of the sensitivity rows.
var traffics = [...]float64{0.5, 0.8, 1, 1.2, 1.5}

// sensitivity fills the rows and the flip point of a decision: on-demand
// against the provisioned option that the decision is about.
func (s *study) sensitivity(d *Decision) {
	p := s.subject(d)
	if p == nil {
		return
	}
	with := s.tariffs[0]
	for _, t := range s.tariffs {
		if t.class == p.Class {
			with = t
		}
	}
	for _, f := range traffics {
		row := s.compare(p, with, f)
		row.What = fmt.Sprintf("traffic %+.0f %%", 100*(f-1))
		if f == 1 {
			row.What = "traffic as measured"
		}
		d.Sensitivity = append(d.Sensitivity, row)
	}
	for _, target := range []int{50, 70, 90} {
		for i := range d.Options {
			o := &d.Options[i]
			if o.Class == with.class && o.Name == optionName(fmt.Sprintf("auto-scaled %d %%", target), with.class) {
				row := s.compare(o, with, 1)
				row.What, row.Target, row.Rejected = fmt.Sprintf("target %d %%", target), target, o.Rejected
				d.Sensitivity = append(d.Sensitivity, row)
			}
		}
	}
	d.Flip = s.flip(p, with)
}

// subject is the provisioned option to compare with on-demand: the best one if
// it is provisioned, else today's, else the cheapest within the limits.
func (s *study) subject(d *Decision) (p *Option) {
	switch {
	case d.Best != nil && d.Best.Mode == ModeProvisioned:
		return d.Best
	case d.Current != nil && d.Current.Mode == ModeProvisioned:
		return d.Current
	}
	for i := range d.Options {
		o := &d.Options[i]
		if o.Mode == ModeProvisioned && o.Rejected == "" && (p == nil || less(o.Monthly.Expected, p.Monthly.Expected)) {
			p = o
		}
	}
	return p
}

func (s *study) compare(p *Option, with tariff, traffic float64) SensitivityRow {
	t := s.provisioned(p.Settings, traffic)
	row := SensitivityRow{Traffic: traffic, OnDemand: s.total(s.onDemand(traffic), with, false), Provisioned: s.total(t, with, false)}
	demanded, throttled := t.totals()
	if demanded > 0 {
		row.ThrottledShare = throttled / demanded
	}
	row.ThrottledMinutes = s.perWeek(float64(t.minutes))
	row.Rejected = s.rejected(t)
	switch {
	case less(row.OnDemand, row.Provisioned):
		row.Cheaper = ModeOnDemand
	case less(row.Provisioned, row.OnDemand):
		row.Cheaper = ModeProvisioned
	}
	return row
}

// Bounds of the search for the flip point.
const (
	leastTraffic = 0.01
	mostTraffic  = 20.0
	flipSteps    = 14 // bisections: well under 1 % of the traffic
)

// flip finds the traffic at which the cheaper mode changes.
func (s *study) flip(p *Option, with tariff) Flip {
	at := s.compare(p, with, 1)
	f := Flip{Price: s.priceFlip(at, with)}
	lo, hi := leastTraffic, 1.0
	f.Below = at.Cheaper != ModeOnDemand
	if !f.Below {
		lo, hi = 1, mostTraffic
	}
	if s.compare(p, with, lo).Cheaper != ModeOnDemand || s.compare(p, with, hi).Cheaper == ModeOnDemand {
		f.Text = fmt.Sprintf("%s stays cheaper between %.0f %% and %.0f %% of today's traffic", modeName(at.Cheaper), 100*lo, 100*hi)
		return f
	}
	for range flipSteps {
		if mid := (lo + hi) / 2; s.compare(p, with, mid).Cheaper == ModeOnDemand {
			lo = mid
		} else {
			hi = mid
		}
	}
	f.Traffic = hi
	if f.Below {
		f.Found = true
		f.Text = fmt.Sprintf("with these settings kept, on-demand becomes cheaper below %.0f %% of today's traffic", 100*hi)
		return f
	}
	if why := s.compare(p, with, hi).Rejected; why != "" {
		f.Text = fmt.Sprintf("%s would be cheaper than on-demand from %.0f %% of today's traffic, but there it %s", p.Name, 100*hi, why)
		return f
	}
	f.Found = true
	f.Text = fmt.Sprintf("with its settings kept, %s becomes cheaper than on-demand above %.0f %% of today's traffic", p.Name, 100*hi)
	return f
}

// priceFlip is the factor on the on-demand price at which both modes cost the
// same; storage is in neither.
func (s *study) priceFlip(at SensitivityRow, with tariff) float64 {
	od, p := at.OnDemand, at.Provisioned
	if s.sized {
		stored := monthlyStorage(s.bytes, with.storage)
		od, p = od.Sub(stored), p.Sub(stored)
	}
	a, _ := od.Get()
	b, ok := p.Get()
	if !ok || !a.IsPositive() {
		return 0
	}
	return b.Div(a).InexactFloat64()
}

func modeName(mode string) string {
	if mode == ModeOnDemand {
		return "on-demand"
	}
	return "provisioned"
}
