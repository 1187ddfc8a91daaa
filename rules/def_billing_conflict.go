package rules

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var defBillingConflict = &Rule{
	ID: "def-billing-conflict", Severity: Error, Needs: Definition, Check: checkDefBillingConflict,
	Doc: Doc{
		Summary:   "the billing mode and the provisioned throughput contradict each other",
		Why:       "DynamoDB refuses capacity on an on-demand table and a provisioned table without capacity. A missing billing mode means PROVISIONED in CloudFormation, Terraform and the API.",
		Fix:       "State PAY_PER_REQUEST without capacity, or PROVISIONED with at least 1 read and 1 write unit on the table and on each global index.",
		Threshold: "on-demand: no capacity over 0; provisioned: read and write capacity of 1 or more",
		Source:    "DynamoDB API reference: CreateTable (BillingMode, ProvisionedThroughput)",
		Since:     "0.1",
		Bad:       "BillingMode: PAY_PER_REQUEST\nProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}",
		Good:      "BillingMode: PAY_PER_REQUEST",
	},
}

func checkDefBillingConflict(p *Pass) {
	t := p.Table
	mode, ok := t.Billing.Get()
	switch {
	case !ok:
		p.Skip("", gap("billing mode", t.Billing))
		return
	case mode != table.PayPerRequest && mode != table.Provisioned:
		p.Report(Finding{
			At:      t.Billing.At,
			Message: fmt.Sprintf("billing mode %q is neither PAY_PER_REQUEST nor PROVISIONED", mode),
		})
		return
	}
	skipIndexLists(p)
	for _, group := range armGroups(t) {
		if mode == table.PayPerRequest {
			checkNoCapacity(p, group)
		} else {
			checkCapacity(p, group)
		}
	}
}

// checkNoCapacity reports capacity on an on-demand table. Zero is how some
// sources write "none"; auto scaling targets may outlive a mode switch.
func checkNoCapacity(p *Pass, group armGroup) {
	var f Finding
	for _, a := range group {
		n, ok := a.capacity.Get()
		switch {
		case a.capacity.Unresolved():
			p.Skip(a.indexName(), gap(a.String(), a.capacity))
		case ok && n != 0:
			if f.Message == "" {
				f.At = place(a.capacity.At, a.at)
				f.Message = fmt.Sprintf("on-demand (PAY_PER_REQUEST) and yet %s has a %s of %d", a.owner(), a, n)
			} else {
				f.Message += fmt.Sprintf(", a %s of %d", a, n)
			}
			f.Numbers = append(f.Numbers, Number{a.unit() + "_capacity", float64(n)})
		}
	}
	if f.Message != "" {
		f.Index = group[0].indexName()
		f.Fix = "Remove the provisioned throughput, or set the billing mode to PROVISIONED."
		p.Report(f)
	}
}

// checkCapacity reports capacity that a provisioned table or index lacks.
func checkCapacity(p *Pass, group armGroup) {
	var none, zero armGroup
	for _, a := range group {
		n, ok := a.capacity.Get()
		switch {
		case a.capacity.Unresolved():
			p.Skip(a.indexName(), gap(a.String(), a.capacity))
		case ok && n < 1:
			zero = append(zero, a)
		case ok || scaledInstead(p, a):
		default:
			none = append(none, a)
		}
	}
	if len(none)+len(zero) == 0 {
		return
	}
	t := p.Table
	f := Finding{Index: group[0].indexName(), At: place(group[0].at, t.At), Numbers: []Number{{"least_capacity", 1}}}
	mode := "billing mode is PROVISIONED"
	if !t.Billing.Written() {
		mode = "no billing mode, which means PROVISIONED,"
	} else if group[0].index == nil {
		f.At = t.Billing.At
	}
	if len(zero) > 0 {
		f.At = place(zero[0].capacity.At, f.At)
		f.Message = fmt.Sprintf("%s and %s has a %s of 0; it takes at least 1", mode, group[0].owner(), joinArms(zero))
	} else {
		f.Message = fmt.Sprintf("%s and %s has no %s", mode, group[0].owner(), joinArms(none))
	}
	p.Report(f)
}

// scaledInstead tells whether auto scaling settings stand for the capacity, as
// in a GlobalTable or a design file; elsewhere capacity is stated beside them.
func scaledInstead(p *Pass, a arm) bool {
	if a.region != "" && p.Table.ResourceType != globalTable {
		return true // a replica without capacity of its own has the table's
	}
	if !slices.Contains([]string{globalTable, "design"}, p.Table.ResourceType) {
		return false
	}
	if a.scaling.Unresolved() {
		p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
		return true
	}
	return a.scaling.Known()
}

// replicated tells whether the table is a global table, and whether that is
// known. A GlobalTable of one Region is not replicated.
func replicated(t *table.Table) (yes, known bool) {
	others := len(t.Replicas.Items)
	if t.ResourceType == globalTable {
		others--
	}
	return others > 0, others > 0 || t.Replicas.Complete()
}

// regionsOf lists the Regions of a global table that are known, each once.
// gaps says what is missing of the list.
func regionsOf(t *table.Table) (regions []source.Value[string], gaps []string) {
	gaps = listGaps("replicas", t.Replicas)
	if t.ResourceType != globalTable {
		regions = append(regions, t.Region)
	}
	for _, r := range t.Replicas.Items {
		regions = append(regions, r.Region)
	}
	return regions, gaps
}
