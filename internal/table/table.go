// Package table is the model of a DynamoDB table that every loader fills and
// that rules, planner and cost read. It holds what was described and the
// evidence about its use; it judges nothing and prices nothing.
package table

import "ddbvet/internal/source"

// Type is a DynamoDB attribute type: S, N, B, BOOL, NULL, SS, NS, BS, L or M.
// Only S, N and B may be key attributes.
type Type = string

// The billing modes, classes and projections, spelled as the API spells them.
const (
	PayPerRequest = "PAY_PER_REQUEST"
	Provisioned   = "PROVISIONED"

	Standard           = "STANDARD"
	InfrequentAccess   = "STANDARD_INFREQUENT_ACCESS"
	ProjectionAll      = "ALL"
	ProjectionInclude  = "INCLUDE"
	ProjectionKeysOnly = "KEYS_ONLY"
)

// GeneratedName is why the name of a table is unresolved that its service will
// name: it is not known, and it is certain to be valid and unique.
const GeneratedName = "generated name"

// Table is one table or global table as one source describes it, with the
// evidence given beside it.
type Table struct {
	At           source.Span
	LogicalName  string // the source's own id: CloudFormation logical id, Terraform address, or the name
	ResourceType string // "AWS::DynamoDB::Table", "design", "describe-table", …

	Name    source.Value[string]
	Region  source.Value[string]
	Account string // only of a live table

	Attributes source.List[AttributeDef] // AttributeDefinitions; empty where a format has none
	Key        Key
	GSIs       source.List[*Index]
	LSIs       source.List[*Index]
	Vectors    source.List[VectorIndex]

	Billing     source.Value[string] // PayPerRequest or Provisioned
	Capacity    Throughput           // provisioned RCU and WCU
	MaxOnDemand Throughput           // on-demand maximum, request units a second
	Warm        Throughput           // warm throughput, units a second
	Scaling     AutoScaling
	Class       source.Value[string] // Standard or InfrequentAccess

	TTL                TTL
	StreamView         source.Value[string] // KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES
	PITR               source.Value[bool]
	DeletionProtection source.Value[bool]
	KMSKey             source.Value[string] // customer-managed key; absent: AWS-owned key
	Replicas           source.List[Replica] // other Regions; of an AWS::DynamoDB::GlobalTable every Region, its own included
	Consistency        source.Value[string] // MultiRegionConsistency: EVENTUAL or STRONG
	Witnesses          source.List[source.Value[string]]
	Tags               source.List[Tag]

	DeletionPolicy      source.Value[string] // CloudFormation's; Terraform's prevent_destroy reads as "Retain"
	UpdateReplacePolicy source.Value[string]
	Condition           source.Value[bool] // whether the resource is created at all; absent: always

	ItemCount source.Value[int64] // DescribeTable's counts lag about six hours
	SizeBytes source.Value[int64] // table without GSIs, without the per-item overhead
	Created   source.Value[int64] // seconds since the epoch

	Entities source.List[*Entity]
	Patterns source.List[*Pattern]
	Profile  *Profile // nil: no items were looked at
	Metrics  *Metrics // nil: no metrics were given

	// Definition is "file#Resource", where a design file takes keys and
	// indexes from the place they are deployed from.
	Definition source.Value[string]

	// Arms are what the table is under other values that its source decides
	// by, where they make a difference: other stages, other Regions.
	Arms []Arm

	// Declared tells that access patterns are part of this source: an empty
	// Patterns then means "none", not "unknown".
	Declared bool
}

// Arm is a table under one other value of a parameter.
type Arm struct {
	When  string // "Stage is prod"
	Table *Table
}

// AttributeDef is one entry of AttributeDefinitions.
type AttributeDef struct {
	Name source.Value[string]
	Type source.Value[Type]
	At   source.Span
}

// Throughput is a pair of limits in units a second.
type Throughput struct{ Read, Write source.Value[int64] }

// AutoScaling holds the Application Auto Scaling targets of a table or index.
// A target is absent where the source would have shown it, and unresolved
// where the source cannot say (DescribeTable, a target in another stack).
type AutoScaling struct{ Read, Write source.Value[ScalingTarget] }

// ScalingTarget is one scalable target with its target-tracking policy.
type ScalingTarget struct {
	Min, Max source.Value[int64]   // units a second
	Percent  source.Value[float64] // target utilisation, 20 to 90
}

// TTL is the time-to-live setting. Attribute may be known while disabled.
type TTL struct {
	Attribute source.Value[string]
	Enabled   source.Value[bool]
}

// Replica is one Region of a global table with its own settings. What a
// replica does not set is absent.
type Replica struct {
	At                 source.Span
	Region             source.Value[string]
	Class              source.Value[string]
	PITR               source.Value[bool]
	DeletionProtection source.Value[bool]
	Read               source.Value[int64] // provisioned RCU
	MaxRead            source.Value[int64] // on-demand maximum
	ReadScaling        source.Value[ScalingTarget]
	Indexes            []ReplicaIndex
}

// ReplicaIndex is a GSI's read setting in one replica.
type ReplicaIndex struct {
	Name        source.Value[string]
	Read        source.Value[int64]
	MaxRead     source.Value[int64]
	ReadScaling source.Value[ScalingTarget]
}

// VectorIndex is a vector search index (on-demand tables only).
type VectorIndex struct {
	Name       source.Value[string]
	Attribute  source.Value[string]
	Dimensions source.Value[int64]
	Search     source.List[source.Value[string]] // attributes of the search schema
	At         source.Span
}

// Tag is a resource tag.
type Tag struct{ Key, Value source.Value[string] }

// DisplayName is the table's name where known, else its logical name.
func (t *Table) DisplayName() string {
	if n, ok := t.Name.Get(); ok && n != "" {
		return n
	}
	return t.LogicalName
}

// Unmade tells whether the source says for certain that the table is not
// created: its condition is false, and no other value of a parameter makes it true.
func (t *Table) Unmade() bool {
	if !source.Is(t.Condition, false) {
		return false
	}
	for _, arm := range t.Arms {
		if !source.Is(arm.Table.Condition, false) {
			return false
		}
	}
	return true
}

// Indexes returns the known GSIs and then LSIs, in written order.
func (t *Table) Indexes() []*Index {
	out := make([]*Index, 0, len(t.GSIs.Items)+len(t.LSIs.Items))
	return append(append(out, t.GSIs.Items...), t.LSIs.Items...)
}

// IndexNamed returns the known index of that name, or nil.
func (t *Table) IndexNamed(name string) *Index {
	for _, ix := range t.Indexes() {
		if source.Is(ix.Name, name) {
			return ix
		}
	}
	return nil
}

// EntityNamed returns the declared entity of that name, or nil.
func (t *Table) EntityNamed(name string) *Entity {
	for _, e := range t.Entities.Items {
		if source.Is(e.Name, name) {
			return e
		}
	}
	return nil
}
