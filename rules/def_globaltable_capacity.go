package rules

import (
	"fmt"

	"ddbvet/internal/table"
)

var defGlobaltableCapacity = &Rule{
	ID: "def-globaltable-capacity", Severity: Error, Needs: Definition, Check: checkDefGlobaltableCapacity,
	Doc: Doc{
		Summary:   "a global table is provisioned and its writes are not auto scaled",
		Why:       "Each replica takes the writes of all Regions. DynamoDB adds replicas only to tables that are on-demand or whose writes are auto scaled.",
		Fix:       "Use on-demand capacity, or auto scale the writes of the table and of each global index; both are valid.",
		Threshold: "replicas need PAY_PER_REQUEST or write auto scaling",
		Source:    "DynamoDB developer guide: bp-global-table-design.prescriptive-guidance.throughput, V2globaltables_reqs_bestpractices",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Users\"\npartition_key = \"userId:S\"\nbilling = \"provisioned\"\nread_capacity = 5\nwrite_capacity = 5\nreplicas = [\"us-west-2\"]",
		Good:      "[[table]]\nname = \"Users\"\npartition_key = \"userId:S\"\nbilling = \"on-demand\"\nreplicas = [\"us-west-2\"]",
	},
}

func checkDefGlobaltableCapacity(p *Pass) {
	t := p.Table
	yes, known := replicated(t)
	mode, ok := t.Billing.Get()
	switch {
	case known && !yes, ok && mode != table.Provisioned:
		return
	case !known:
		p.Skip("", listGaps("replicas", t.Replicas)...)
		return
	case !ok:
		p.Skip("", gap("billing mode", t.Billing))
		return
	}
	if gaps := listGaps("gsis", t.GSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, group := range armGroups(t) {
		for _, a := range group {
			if a.write {
				checkReplicatedWrites(p, a)
			}
		}
	}
}

func checkReplicatedWrites(p *Pass, a arm) {
	if a.scaling.Unresolved() {
		p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
	}
	if !a.scaling.Absent() {
		return
	}
	t := p.Table
	f := Finding{
		Index: a.indexName(), At: place(a.capacity.At, a.at),
		Message: fmt.Sprintf("%s is provisioned with %s and its writes have no auto scaling target (%s); replicas need on-demand capacity or auto scaled writes",
			a.owner(), plural(len(t.Replicas.Items), "replica", "replicas"), a.scalable(t)),
		Numbers: []Number{{"replicas", float64(len(t.Replicas.Items))}},
	}
	if n, ok := a.capacity.Get(); ok {
		f.Numbers = append(f.Numbers, Number{"write_capacity", float64(n)})
	}
	p.Report(f)
}
