package cost

import (
	"cmp"
	"slices"
	"strings"
)

// Sources names where the throughput and storage prices come from, in order.
func (b *Book) Sources() []string {
	seen := map[string]bool{}
	for k, p := range b.prices {
		if k.dim == Storage || k.dim == OnDemandWrite {
			name, _, _ := strings.Cut(p.Source, ";") // behind it: when else the value was seen
			seen[name] = true
		}
	}
	var out []string
	for s := range seen {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// In lists the prices of one Region, by dimension and class.
func (b *Book) In(region string) []Price {
	var out []Price
	for k, p := range b.prices {
		if k.region == region {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(x, y Price) int {
		return cmp.Or(cmp.Compare(x.Dimension, y.Dimension), cmp.Compare(x.Class, y.Class))
	})
	return out
}
