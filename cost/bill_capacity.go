package cost

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// capacity adds provisioned capacity: units × hours of the month, for the
// table and each GSI in each Region.
func (b *biller) capacity() {
	for _, a := range b.arms() {
		for i, at := range b.at {
			fixed, scaling := b.setting(a, at)
			units, why := b.provisioned(a, fixed, scaling, i == 0 || a.write)
			if why != "" {
				b.unknown("capacity for %s in %s: %s", a.noun(), at.region, why)
			}
			component, dim := ReadCapacity, ProvisionedRead
			switch {
			case a.write && b.replicated && a.index == "":
				component, dim = ReplicatedWriteCapacity, ProvisionedReplicated
			case a.write:
				component, dim = WriteCapacity, ProvisionedWrite
			}
			b.line(at, component, dim, a.index, "", units.times(whole(b.month.hours)))
		}
	}
}

// setting is the stated capacity and scaling of an arm in one Region. Write
// capacity is the same in all of them; a replica that states no read capacity
// has the table's.
func (b *biller) setting(a arm, at place) (source.Value[int64], source.Value[table.ScalingTarget]) {
	capacity, scaling := b.t.Capacity, b.t.Scaling
	if a.index != "" {
		ix := b.t.IndexNamed(a.index)
		if ix == nil { // a GSI whose name is not known
			return source.Unresolved[int64]("the index has no known name", b.t.At), source.Value[table.ScalingTarget]{}
		}
		capacity, scaling = ix.Capacity, ix.Scaling
	}
	if a.write {
		return capacity.Write, scaling.Write
	}
	read, target := capacity.Read, scaling.Read
	if at.replica != nil {
		own, ownTarget := replicaRead(at.replica, a.index)
		if !own.Absent() || !ownTarget.Absent() {
			return own, ownTarget
		}
	}
	return read, target
}

func replicaRead(r *table.Replica, index string) (source.Value[int64], source.Value[table.ScalingTarget]) {
	if index == "" {
		return r.Read, r.ReadScaling
	}
	for _, ix := range r.Indexes {
		if source.Is(ix.Name, index) {
			return ix.Read, ix.ReadScaling
		}
	}
	return source.Value[int64]{}, source.Value[table.ScalingTarget]{}
}

// provisioned is the units that are provisioned on average, and why they are
// not known or what is doubtful about them. An auto-scaled arm is expected at
// ceil(100 × mean demand / target), kept between its minimum and maximum, for
// the declared rates where the demand is; without rates it is unknown, but for
// a minimum that is the maximum.
func (b *biller) provisioned(a arm, fixed source.Value[int64], scaling source.Value[table.ScalingTarget], demandHere bool) (amount, string) {
	units, stated := fixed.Get()
	target, scales := scaling.Get()
	switch {
	case !scales && !stated:
		return amount{}, "not stated"
	case !scales && scaling.Unresolved():
		return whole(units), fmt.Sprintf("auto scaling is not known, what it adds to the stated %s is not included", number(float64(units)))
	case !scales:
		return whole(units), ""
	}
	least, hasMin := target.Min.Get()
	most, hasMax := target.Max.Get()
	percent, hasTarget := target.Percent.Get()
	switch {
	case !hasMin || !hasMax:
		return amount{}, "minimum and maximum of auto scaling are not known"
	case least == most:
		return whole(least), ""
	case !hasTarget || percent <= 0:
		return amount{}, "the target of auto scaling is not known"
	case !demandHere:
		return amount{}, fmt.Sprintf("auto-scaled between %s and %s, and no rates are declared for the Region", number(float64(least)), number(float64(most)))
	}
	demand, ok := b.demand(a)
	if !ok {
		return amount{}, fmt.Sprintf("auto-scaled between %s and %s, and not all rates and units are known", number(float64(least)), number(float64(most)))
	}
	const rounding = 1e-9 // of the division, so that 70 at 70 % is 100
	expected := math.Ceil(100*demand/percent - rounding)
	return whole(int64(max(float64(least), min(float64(most), expected)))), ""
}

func whole(n int64) amount { return amount{decimal.NewFromInt(n), true} }

// demand is the units a second that the declared patterns consume of an arm on
// average; unknown when one of them is, or when none is declared.
func (b *biller) demand(a arm) (perSecond float64, known bool) {
	total := whole(0)
	for _, u := range b.uses {
		if units, touched := u.on(a); touched {
			add := units.times(u.rate())
			total = amount{total.Add(add.Decimal), total.known && add.known}
		}
	}
	return total.InexactFloat64(), total.known && len(b.uses) > 0
}
