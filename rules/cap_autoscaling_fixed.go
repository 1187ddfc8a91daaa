package rules

import (
	"fmt"
	"strings"
)

var capAutoscalingFixed = &Rule{
	ID: "cap-autoscaling-fixed", Severity: Warning, Needs: Definition, Check: checkCapAutoscalingFixed,
	Doc: Doc{
		Summary:   "an auto scaling target's minimum is its maximum",
		Why:       "Such a target never changes the capacity, so the table looks scaled and is not.",
		Fix:       "Widen the range: the minimum near the quiet load, the maximum above the highest peak.",
		Threshold: "minimum at or above maximum",
		Source:    "Application Auto Scaling API reference: RegisterScalableTarget",
		Since:     "0.1",
		Bad:       "autoscaling = { read = { min = 50, max = 50, target = 70 }, write = { min = 50, max = 50, target = 70 } }",
		Good:      "autoscaling = { read = { min = 10, max = 200, target = 70 }, write = { min = 10, max = 200, target = 70 } }",
	},
}

func checkCapAutoscalingFixed(p *Pass) {
	if !provisioned(p) {
		return
	}
	skipIndexLists(p)
	for _, group := range armGroups(p.Table) {
		var f Finding
		var faults []string
		for _, a := range group {
			target, ok := a.scaling.Get()
			if a.scaling.Unresolved() {
				p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
			}
			if !ok {
				continue
			}
			low, lowKnown := target.Min.Get()
			high, highKnown := target.Max.Get()
			if !lowKnown || !highKnown {
				p.Skip(a.indexName(), fixedGaps(a)...)
				continue
			}
			if low < high {
				continue
			}
			if len(faults) == 0 {
				f = Finding{Index: a.indexName(), At: place(target.Min.At, target.Max.At, a.scaling.At, a.at)}
			}
			faults = append(faults, fmt.Sprintf("%s between %d and %d", a, low, high))
			f.Numbers = append(f.Numbers, Number{a.unit() + "_min", float64(low)}, Number{a.unit() + "_max", float64(high)})
		}
		if len(faults) > 0 {
			f.Message = fmt.Sprintf("auto scaling of %s cannot move: %s", group[0].owner(), strings.Join(faults, ", "))
			p.Report(f)
		}
	}
}

// fixedGaps names the bounds of a target that are not known.
func fixedGaps(a arm) (gaps []string) {
	target, _ := a.scaling.Get()
	if !target.Min.Known() {
		gaps = append(gaps, gap("auto scaling minimum of "+a.String(), target.Min))
	}
	if !target.Max.Known() {
		gaps = append(gaps, gap("auto scaling maximum of "+a.String(), target.Max))
	}
	return gaps
}
