package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var capNoAutoscaling = &Rule{
	ID: "cap-no-autoscaling", Severity: Warning, Needs: Definition, Check: checkCapNoAutoscaling,
	Doc: Doc{
		Summary:   "provisioned capacity without auto scaling",
		Why:       "Fixed capacity throttles above its number and is paid for in full below it.",
		Fix:       "Register a scalable target with a target-tracking policy for reads and for writes, or use on-demand capacity.",
		Threshold: "a target for reads and one for writes of the table, its GSIs and its replicas",
		Source:    "AWS Config: dynamodb-autoscaling-enabled; DynamoDB developer guide: AutoScaling",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\nbilling = \"provisioned\"\nread_capacity = 100\nwrite_capacity = 100",
		Good:      "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\nbilling = \"provisioned\"\nread_capacity = 100\nwrite_capacity = 100\nautoscaling = { read = { min = 20, max = 400, target = 70 }, write = { min = 20, max = 400, target = 70 } }",
	},
}

func checkCapNoAutoscaling(p *Pass) {
	if !provisioned(p) {
		return // on-demand tables may keep targets of an earlier mode
	}
	skipIndexLists(p)
	global, _ := replicated(p.Table)
	for _, group := range armGroups(p.Table) {
		var bare armGroup
		for _, a := range group {
			n, known := a.capacity.Get()
			switch {
			case a.capacity.Absent() && a.region == "" || known && n < 1: // def-billing-conflict judges it
			case global && a.write && a.scaling.Absent(): // def-globaltable-capacity does
			case a.scaling.Unresolved():
				p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
			case a.scaling.Absent() && !underScaledTable(p.Table, a):
				bare = append(bare, a)
			}
		}
		if len(bare) > 0 {
			reportBare(p, bare)
		}
	}
}

// underScaledTable tells whether the arm is a GSI's under a table that scales,
// which gsi-no-autoscaling judges.
func underScaledTable(t *table.Table, a arm) bool {
	if a.index == nil {
		return false
	}
	if a.write {
		return t.Scaling.Write.Known()
	}
	return t.Scaling.Read.Known()
}

func reportBare(p *Pass, bare armGroup) {
	a := bare[0]
	f := Finding{
		Index: a.indexName(),
		At:    bareCapacityPlace(p.Table, bare),
		Message: fmt.Sprintf("%s is provisioned and its %s has no auto scaling target (%s)",
			a.owner(), joinArms(bare), a.scalable(p.Table)),
	}
	for _, b := range bare {
		n, ok := b.capacity.Get()
		if ok && b.region == "" {
			f.Numbers = append(f.Numbers, Number{b.unit() + "_capacity", float64(n)})
		}
	}
	p.Report(f)
}

// bareCapacityPlace is where the fixed capacity stands, else its owner.
func bareCapacityPlace(t *table.Table, arms armGroup) source.Span {
	for _, a := range arms {
		if a.capacity.Written() {
			return place(a.capacity.At, a.at, t.At)
		}
	}
	return place(arms[0].at, t.At)
}
