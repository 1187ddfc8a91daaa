package cost

import (
	"math"
	"testing"
)

// Shapes of the cases, one week each.
func shapes() map[string][]float64 {
	return map[string][]float64{
		"steady":  flatDays(7, 70),
		"diurnal": days(7, func(m int) float64 { return 55 - 45*math.Cos(2*math.Pi*float64(m)/minutesPerDay) }),
		"spiky": days(7, func(m int) float64 {
			if m%720 < 5 {
				return 100
			}
			return 1
		}),
		"sparse": days(7, func(m int) float64 {
			if m%minutesPerDay < 60 {
				return 100
			}
			return 0
		}),
		"monday": days(7, func(m int) float64 { return o43(m) / 5 }),
		"hourly": days(7, func(m int) float64 {
			if m%60 < 20 {
				return 60
			}
			return 10
		}),
		"ragged": days(7, func(m int) float64 { return 20 + float64((m*7919)%41) + 10*math.Sin(float64(m)/300) }),
	}
}

// canBeat leaves out the minima that no search needs to try: capacity never
// falls below its minimum, and nor does its mean.
func canBeat(minimum int64, best float64) bool { return float64(minimum) < best }

// The chosen minimum is within 1 % of the cheapest of all minima that keep the
// limits, on every shape and target.
func TestSearchIsNearTheOptimum(t *testing.T) {
	for name, load := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStudy(DecideInput{Table: onDemandTable(), Metrics: metrics(load, flatDays(7, 0)), Book: defaultBook(t), Region: region, Limits: DefaultLimits()})
			f := s.fit(0)
			for _, target := range targets {
				set := f.scaled(target)
				got, ok := f.tryScaled(set)
				if !ok {
					t.Errorf("%s at %d %%: chosen %+v does not keep the limits", name, target, set)
				}
				best, at := math.Inf(1), int64(0)
				for low := int64(1); low <= max(1, CapacityFor(f.peak, target)) && canBeat(low, best); low++ {
					if mean, ok := f.tryScaled(Setting{Min: low, Max: set.Max, Target: target}); ok && mean < best {
						best, at = mean, low
					}
				}
				if got > best*1.01 {
					t.Errorf("%s at %d %%: minimum %d costs %.3f, minimum %d only %.3f", name, target, set.Min, got, at, best)
				}
			}
			fixed := f.fixed()
			if _, ok := f.try(Setting{Units: fixed.Units - 1}, 100.0/70, 0); ok && fixed.Units > 1 {
				t.Errorf("%s: fixed %d, but one less keeps the limits as well", name, fixed.Units)
			}
			if _, ok := f.try(fixed, 100.0/70, 0); !ok {
				t.Errorf("%s: fixed %d does not keep the limits", name, fixed.Units)
			}
		})
	}
}

// The recommendation is within 1 % of an exhaustive search over targets,
// minima and fixed capacities at the recommended headroom.
func TestRecommendationIsNearTheOptimum(t *testing.T) {
	for name, load := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := decide(t, fixedTable(1000, 1), metrics(load, flatDays(7, 0)))
			s := newStudy(DecideInput{Table: onDemandTable(), Metrics: metrics(load, flatDays(7, 0)), Book: defaultBook(t), Region: region, Limits: DefaultLimits()})
			f := s.fit(0)
			best := math.Inf(1)
			for target := 70; target >= 20; target -= 2 {
				for low := int64(1); low <= max(1, CapacityFor(f.peak, target)) && canBeat(low, best); low += 1 + low/25 {
					if mean, ok := f.tryScaled(Setting{Min: low, Max: f.naive(target).Max, Target: target}); ok {
						best = min(best, mean)
					}
				}
			}
			best = min(best, float64(f.fixed().Units))
			// A provisioned table has at least one WCU.
			cheapest := min(best*0.00013*730+0.00065*730, mean(load)*0.125e-6*730*3600)
			if got, _ := d.Best.Monthly.Expected.Float(); got > cheapest*1.01 {
				t.Errorf("%s: best is %s at $%.4f, exhaustive search $%.4f", name, d.Best.Name, got, cheapest)
			}
		})
	}
}

// Section 7: diurnal reads, closed form on demand.
func TestSection7Diurnal(t *testing.T) {
	d := decide(t, onDemandTable(), metrics(shapes()["diurnal"], flatDays(7, 0)))
	wantMoney(t, "diurnal reads on demand", d.Current.Parts[0].Monthly, "$18.07")
	o := optionNamed(t, &d, "auto-scaled 70 %")
	if !within(o.Parts[0].Monthly, 8.44, 0.1) {
		t.Errorf("diurnal reads auto-scaled %v, expected about $8.44", o.Parts[0].Monthly)
	}
}

func BenchmarkDecide(b *testing.B) {
	tab, m := readFixture(b, "wave")
	for b.Loop() {
		decide(b, tab, m)
	}
}
