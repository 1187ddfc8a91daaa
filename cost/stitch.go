package cost

import (
	"math"
	"slices"

	"ddbvet/internal/table"
)

// maxValue bounds a point's value: no table counts as much in any period, and
// sums stay finite.
const maxValue = 1e15

// usable tells whether a point can be read: whole minutes, a sane value.
func usable(p table.Point) bool {
	return p.Period >= 60 && p.Period%60 == 0 && p.Value >= 0 && p.Value <= maxValue
}

// stitch lays points of mixed periods on the clock, as units a second of Sums
// or as levels. A finer point wins its minutes; what a coarser Sum holds
// beyond them is spread over the minutes that only it covers, so no unit
// counts twice. It reports the minutes taken from each period, finest first.
func (d *Demand) stitch(points []table.Point, sums bool) ([]float64, []PeriodMinutes) {
	out := make([]float64, d.Minutes)
	for i := range out {
		out[i] = math.NaN()
	}
	var counts []PeriodMinutes
	for _, period := range periodsOf(points) {
		n := 0
		for _, p := range points {
			if p.Period == period && usable(p) {
				n += d.lay(out, p, sums)
			}
		}
		if n > 0 {
			counts = append(counts, PeriodMinutes{int(period), n})
		}
	}
	return out, counts
}

// periodsOf are the periods of the points, finest first.
func periodsOf(points []table.Point) (out []int32) {
	for _, p := range points {
		if usable(p) && !slices.Contains(out, p.Period) {
			out = append(out, p.Period)
		}
	}
	slices.Sort(out)
	return out
}

// lay fills the minutes of one point that are still unknown and returns how
// many they were. Where part of a point lies outside the clock, that part keeps
// its share.
func (d *Demand) lay(out []float64, p table.Point, sum bool) int {
	first := int((p.Start - p.Start%60 - d.Start) / 60)
	length := int(p.Period / 60)
	value := p.Value
	if sum {
		value /= float64(p.Period)
	}
	open, rest := length, value*float64(length)
	for i := max(0, first); i < min(len(out), first+length); i++ {
		if out[i] == out[i] {
			open--
			rest -= out[i]
		}
	}
	if sum && open < length && open > 0 {
		value = max(0, rest) / float64(open)
	}
	filled := 0
	for i := max(0, first); i < min(len(out), first+length); i++ {
		if out[i] != out[i] {
			out[i] = value
			filled++
		}
	}
	return filled
}
