package cost

import (
	"fmt"
	"math"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// current is the mode and settings a table has today, as far as known.
type current struct {
	mode     string // ModeOnDemand, ModeProvisioned or ""
	settings []IndexSetting
	unknown  []string // why it cannot be priced or simulated
	assumed  []string // what was taken for granted, for the reasons
}

func currentOf(t *table.Table, d *Demand) (c current) {
	switch billing, ok := t.Billing.Get(); {
	case !ok:
		c.unknown = append(c.unknown, "the current billing mode is not known"+because(t.Billing.Why))
		return c
	case billing == table.PayPerRequest:
		c.mode = ModeOnDemand
		return c
	}
	c.mode = ModeProvisioned
	for i := range d.Resources {
		r := &d.Resources[i]
		set := IndexSetting{Index: r.Index}
		capacity, scaling := t.Capacity, t.Scaling
		if r.Index != "" {
			ix := t.IndexNamed(r.Index)
			if ix == nil {
				c.unknown = append(c.unknown, fmt.Sprintf("the settings of index %q are not known", r.Index))
				continue
			}
			capacity, scaling = ix.Capacity, ix.Scaling
		}
		set.Read = c.setting(r, ReadSide, capacity.Read, scaling.Read)
		set.Write = c.setting(r, WriteSide, capacity.Write, scaling.Write)
		c.settings = append(c.settings, set)
	}
	return c
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// setting is the described setting of one direction.
func (c *current) setting(r *ResourceDemand, dir Direction, capacity source.Value[int64], scaling source.Value[table.ScalingTarget]) Setting {
	if target, ok := scaling.Get(); ok {
		lo, okMin := target.Min.Get()
		hi, okMax := target.Max.Get()
		percent, okTarget := target.Percent.Get()
		if okMin && okMax && okTarget && percent >= 1 && lo >= 1 && hi >= lo {
			return Setting{Min: lo, Max: hi, Target: int(math.Round(percent))}
		}
		scaling = source.Unresolved[table.ScalingTarget]("its minimum, maximum or target is not known", scaling.At)
	}
	units, known := capacity.Get()
	if !known {
		if level, ok := highest(r.side(dir).Provisioned); ok {
			units, known = int64(math.Ceil(level)), true
		}
	}
	if !known {
		c.unknown = append(c.unknown, fmt.Sprintf("the %s capacity of %s is not known%s", dir, resourceName(r.Index), because(capacity.Why)))
		return Setting{}
	}
	if !scaling.Unresolved() {
		return Setting{Units: units}
	}
	if level, ok := highest(r.side(dir).Provisioned); ok {
		c.assumed = append(c.assumed, fmt.Sprintf("auto scaling of %ss of %s is not known: today's cost is from the provisioned capacity in the metrics", dir, resourceName(r.Index)))
		return Setting{Units: int64(math.Ceil(level))}
	}
	c.assumed = append(c.assumed, fmt.Sprintf(
		"auto scaling of %ss of %s is not known%s: today's cost takes the described capacity of %d as fixed; give Provisioned%sCapacityUnits or the scaling targets to be sure",
		dir, resourceName(r.Index), because(scaling.Why), units, dir.title()))
	return Setting{Units: units}
}

// highest is the highest known value of a series.
func highest(levels []float64) (top float64, known bool) {
	for _, l := range levels {
		if l == l {
			top, known = max(top, l), true
		}
	}
	return top, known
}

// billedCapacity is the mean and the mean hourly maximum of a measured
// capacity series, where at least half of the counted minutes are known.
func billedCapacity(levels []float64, from, minuteOfDay int) (mean, bound float64, known bool) {
	if levels == nil {
		return 0, 0, false
	}
	sum, n, tops, hours, top := 0.0, 0, 0.0, 0, math.NaN()
	for i := from; i < len(levels); i++ {
		if l := levels[i]; l == l {
			sum += l
			n++
			if !(top >= l) {
				top = l
			}
		}
		if (i+minuteOfDay+1)%minutesPerHour == 0 || i == len(levels)-1 {
			if top == top {
				tops += top
				hours++
			}
			top = math.NaN()
		}
	}
	// The metric is sent every five minutes; read at a period of 60 s it has
	// four gaps for each point.
	if n*2*finePeriod/60 < len(levels)-from {
		return 0, 0, false
	}
	return sum / float64(n), tops / float64(hours), true
}
