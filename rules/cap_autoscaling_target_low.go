package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// The target utilisation in percent: what Application Auto Scaling accepts,
// and where a target is low.
const (
	targetLeast = 20
	targetMost  = 90
	targetLow   = 50
)

var capAutoscalingTargetLow = &Rule{
	ID: "cap-autoscaling-target-low", Severity: Warning, Needs: Definition, Check: checkCapAutoscalingTargetLow,
	Doc: Doc{
		Summary:   "an auto scaling target utilisation is low, or outside the valid range",
		Why:       "At a target of 50 % half of the capacity paid for is idle by design; outside 20 to 90 the policy is refused.",
		Fix:       "Use 70 %, or a figure between 50 and 90 that the traffic's rise time allows.",
		Threshold: "50 % or less is a warning, under 20 or over 90 an error",
		Source:    "DynamoDB developer guide: CostOptimization_AutoScalingSettings; Application Auto Scaling: target tracking for DynamoDB",
		Since:     "0.1",
		Bad:       "autoscaling = { read = { min = 10, max = 200, target = 40 }, write = { min = 10, max = 200, target = 70 } }",
		Good:      "autoscaling = { read = { min = 10, max = 200, target = 70 }, write = { min = 10, max = 200, target = 70 } }",
	},
}

func checkCapAutoscalingTargetLow(p *Pass) {
	if !provisioned(p) {
		return
	}
	skipIndexLists(p)
	for _, group := range armGroups(p.Table) {
		var f Finding
		var faults []string
		for _, a := range group {
			if a.scaling.Unresolved() {
				p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
			}
			target, ok := a.scaling.Get()
			if !ok {
				continue
			}
			percent, ok := target.Percent.Get()
			if !ok {
				p.Skip(a.indexName(), gap("target utilisation of "+a.String(), target.Percent))
				continue
			}
			fault, severity := targetFault(percent)
			if fault == "" {
				continue
			}
			if len(faults) == 0 {
				f = Finding{Index: a.indexName(), At: place(target.Percent.At, a.scaling.At, a.at)}
			}
			f.Severity = max(f.Severity, severity)
			faults = append(faults, fmt.Sprintf("%s %s", a, fault))
			f.Numbers = append(f.Numbers, Number{a.unit() + "_target", percent})
		}
		if len(faults) > 0 {
			f.Message = fmt.Sprintf("auto scaling target of %s: %s", group[0].owner(), strings.Join(faults, ", "))
			p.Report(f)
		}
	}
}

// targetFault says what is wrong with a target utilisation; "" when nothing is.
func targetFault(percent float64) (string, Severity) {
	shown := strconv.FormatFloat(percent, 'f', -1, 64)
	switch {
	case percent < targetLeast || percent > targetMost:
		return fmt.Sprintf("at %s %%, outside the valid %d to %d %%", shown, targetLeast, targetMost), Error
	case percent <= targetLow:
		return fmt.Sprintf("at %s %%, %d %% or less", shown, targetLow), Warning
	}
	return "", 0
}
