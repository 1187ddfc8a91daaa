package rules

import (
	"fmt"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// globalTable is the resource type whose Replicas hold every Region, its own
// included, and whose capacity comes from scaling settings.
const globalTable = "AWS::DynamoDB::GlobalTable"

// arm is one provisioned dimension that scales on its own: reads or writes of
// a table, a GSI, or one of them in a replica.
type arm struct {
	index    *table.Index // nil: the table
	write    bool
	region   string // of a replica; "" for the table's own
	at       source.Span
	capacity source.Value[int64]
	scaling  source.Value[table.ScalingTarget]
}

// String names the arm: "read capacity", "read capacity in eu-west-1".
func (a arm) String() string {
	s := a.unit() + " capacity"
	if a.region != "" {
		s += " in " + a.region
	}
	return s
}

func (a arm) unit() string {
	if a.write {
		return "write"
	}
	return "read"
}

// indexName is the index's name, or "" for the table.
func (a arm) indexName() string { return keyUse{Index: a.index}.indexName() }

// target is the index's name or "table", for messages and Skip.
func (a arm) owner() string {
	if a.index == nil {
		return "the table"
	}
	return fmt.Sprintf("global index %q", a.index.DisplayName())
}

// armGroup is the arms of one table or index, which are judged together so
// that a finding stays one finding when reads and writes share a fault.
type armGroup []arm

// armGroups lists the arms of the table and of its known GSIs. LSIs have no
// capacity of their own.
func armGroups(t *table.Table) (groups []armGroup) {
	groups = append(groups, append(
		ownArms(t, nil, t.At, t.Capacity, t.Scaling), replicaArms(t, nil)...))
	for _, ix := range t.GSIs.Items {
		groups = append(groups, append(
			ownArms(t, ix, ix.At, ix.Capacity, ix.Scaling), replicaArms(t, ix)...))
	}
	return groups
}

// ownArms are the arms set at the table or index itself. A GlobalTable's reads
// are set in its replicas.
func ownArms(t *table.Table, ix *table.Index, at source.Span, c table.Throughput, s table.AutoScaling) armGroup {
	write := arm{ix, true, "", at, c.Write, s.Write}
	if t.ResourceType == globalTable && len(t.Replicas.Items) > 0 {
		return armGroup{write}
	}
	return armGroup{{ix, false, "", at, c.Read, s.Read}, write}
}

// replicaArms are the read arms that replicas set for themselves: all of a
// GlobalTable's, and of other sources those with a setting of their own.
func replicaArms(t *table.Table, ix *table.Index) (arms armGroup) {
	for _, r := range t.Replicas.Items {
		region, ok := r.Region.Get()
		if !ok {
			region = "?"
		}
		a := arm{ix, false, region, r.At, r.Read, r.ReadScaling}
		if ix != nil {
			ri := replicaIndex(r, ix)
			a.capacity, a.scaling = ri.Read, ri.ReadScaling
		}
		if t.ResourceType == globalTable || !a.capacity.Absent() || !a.scaling.Absent() {
			arms = append(arms, a)
		}
	}
	return arms
}

// replicaIndex returns a replica's settings of an index; zero where it has none.
func replicaIndex(r table.Replica, ix *table.Index) table.ReplicaIndex {
	name, ok := ix.Name.Get()
	for _, ri := range r.Indexes {
		if ok && source.Is(ri.Name, name) {
			return ri
		}
	}
	return table.ReplicaIndex{}
}

// provisioned tells whether the table is provisioned; where that is not known
// it skips the rule.
func provisioned(p *Pass) bool {
	mode, ok := p.Table.Billing.Get()
	if !ok {
		p.Skip("", gap("billing mode", p.Table.Billing))
		return false
	}
	return mode == table.Provisioned
}

// skipIndexLists skips what GSIs and replicas that are not known may hold.
func skipIndexLists(p *Pass) {
	gaps := append(listGaps("gsis", p.Table.GSIs), listGaps("replicas", p.Table.Replicas)...)
	if len(gaps) > 0 {
		p.Skip("", gaps...)
	}
}

// scalable is the Application Auto Scaling resource id of the arm.
func (a arm) scalable(t *table.Table) string {
	id := "table/" + t.DisplayName()
	if a.index != nil {
		id += "/index/" + a.index.DisplayName()
	}
	return id
}

// joinArms is "read and write capacity" or the arms' names with commas.
func joinArms(arms armGroup) string {
	if len(arms) == 2 && arms[0].region == "" && arms[1].region == "" {
		return arms[0].unit() + " and " + arms[1].unit() + " capacity"
	}
	names := make([]string, len(arms))
	for i, a := range arms {
		names[i] = a.String()
	}
	return strings.Join(names, ", ")
}
