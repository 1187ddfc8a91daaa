package cfn

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// globalTable reads AWS::DynamoDB::GlobalTable, which writes what is written
// to at its top and what is read from in each replica.
func (e *eval) globalTable(r *resource) *table.Table {
	t, props := e.newTable(r, globalTableNames)
	e.misplaced(props)
	e.shared(t, props, r)
	t.Billing = e.billing(props, r.at)
	t.Capacity = table.Throughput{Read: source.Absent[int64](r.at), Write: source.Absent[int64](r.at)}
	t.MaxOnDemand, t.Scaling.Write = e.writes(props)
	for _, ix := range e.indexes(props, "GlobalSecondaryIndexes", table.GSI, globalIndexNames, t) {
		ix.index.MaxOnDemand, ix.index.Scaling.Write = e.writes(ix.props)
		ix.index.Warm = e.warm(ix.props)
	}
	t.Consistency = e.wordOr(e.field(props, "MultiRegionConsistency"), r.at, "EVENTUAL", "STRONG")
	witnesses := e.list(e.field(props, "GlobalTableWitnesses"), "Region")
	t.Witnesses = source.List[source.Value[string]]{At: witnesses.at, Incomplete: witnesses.incomplete}
	for _, it := range witnesses.items {
		t.Witnesses.Items = append(t.Witnesses.Items, e.text(e.field(it, "Region")))
	}
	e.replicas(t, props, r.at)
	return t
}

// misplaced reports what a global table takes in its replicas only.
func (e *eval) misplaced(props value) {
	only := map[string]bool{
		"PointInTimeRecoverySpecification": true, "DeletionProtectionEnabled": true,
		"TableClass": true, "Tags": true, "ContributorInsightsSpecification": true,
	}
	for _, a := range props.alts {
		if a.node == nil {
			continue
		}
		for _, p := range a.node.Pairs {
			switch name := p.Key.Text; {
			case only[name]:
				e.t.faultf(p.Key.At, "found %q at the top of an %s, expected it in each of Replicas", name, typeGlobalTable)
			case name == "ProvisionedThroughput" || name == "OnDemandThroughput":
				e.t.faultf(p.Key.At, "found %q in an %s, expected Write%sSettings and Read%sSettings in each of Replicas", name, typeGlobalTable, name, name)
			}
		}
	}
}

// writes reads the write settings of a global table or its index.
func (e *eval) writes(props value) (limit table.Throughput, scaling source.Value[table.ScalingTarget]) {
	limit.Write = e.limit(e.field(e.field(props, "WriteOnDemandThroughputSettings"), "MaxWriteRequestUnits"))
	settings := e.field(props, "WriteProvisionedThroughputSettings")
	return limit, e.autoScaling(settings, "WriteCapacityAutoScalingSettings")
}

// autoScaling reads a scaling setting of a global table.
func (e *eval) autoScaling(settings value, key string) source.Value[table.ScalingTarget] {
	v := e.part(settings, key, scalingNames)
	a := v.alts[0]
	switch {
	case len(v.alts) > 1 && !e.allMaps(v):
		return source.Unresolved[table.ScalingTarget](v.why, v.at())
	case a.absent():
		return source.Absent[table.ScalingTarget](a.at)
	case a.why != "":
		return source.Unresolved[table.ScalingTarget](a.why, a.at)
	}
	policy := e.field(v, "TargetTrackingScalingPolicyConfiguration")
	return source.Written(table.ScalingTarget{
		Min: e.units(e.field(v, "MinCapacity")), Max: e.units(e.field(v, "MaxCapacity")),
		Percent: scalar(e, e.field(policy, "TargetValue"), asFloat, nil),
	}, a.at)
}

func (e *eval) allMaps(v value) bool {
	for _, a := range v.alts {
		if a.node == nil {
			return false
		}
	}
	return true
}
