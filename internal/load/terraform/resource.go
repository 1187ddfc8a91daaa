// Package terraform turns instances of Terraform resources into tables, and
// reads the JSON of `terraform show -json`. The mapping works on attribute
// trees, so that every reader of Terraform shares it: one of plans and states,
// one of HCL. It evaluates no expressions and judges nothing.
package terraform

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The resource types that describe tables.
const (
	TypeTable   = "aws_dynamodb_table"
	TypeReplica = "aws_dynamodb_table_replica"
	TypeIndex   = "aws_dynamodb_global_secondary_index"
	TypeTarget  = "aws_appautoscaling_target"
	TypePolicy  = "aws_appautoscaling_policy"
)

// Wanted tells whether the mapping reads resources of a type.
func Wanted(resourceType string) bool {
	switch resourceType {
	case TypeTable, TypeReplica, TypeIndex, TypeTarget, TypePolicy:
		return true
	}
	return false
}

// Resource is one instance of a managed resource: each of count and for_each
// is one.
//
// Body is a Map of its arguments. A nested block is a Seq of Maps (one Map is
// read as a Seq of one); an argument that is left out or Null has the
// provider's default. A value that cannot be known is an Unknown node: in
// place of an argument, of a block's whole Seq, or as one item of a Seq, where
// it stands for any number of further items.
type Resource struct {
	Type    string
	Address string // full: module.m["a"].aws_dynamodb_table.t[0]
	Base    string // Address without the resource's own key
	Key     string // text of the key of count or for_each, "" without one
	At      source.Span
	Body    *node.Node
	Region  source.Value[string] // of the resource's provider
	// Exists is whether there is such an instance; absent: certainly.
	Exists source.Value[bool]
	// PreventDestroy is the lifecycle setting; absent where it is not known.
	PreventDestroy source.Value[bool]
}

// The tags of nodes that are not plain values.
const (
	UnknownTag = "!unknown"
	RefTag     = "!ref"
)

// Unknown is a value that cannot be known; why becomes the reason of the
// unresolved fact. The parts, where given, are what the text is made of: in
// order, String nodes of literal text and Ref nodes. A reader that knows only
// which resources go into it gives their Refs alone, in any order.
func Unknown(why string, at source.Span, parts ...*node.Node) *node.Node {
	return &node.Node{Tag: UnknownTag, Text: why, At: at, Items: parts}
}

// Ref is a part of an unknown: a reference to an attribute of another resource
// by its full address, such as module.m.aws_dynamodb_table.t[0].name, or to
// something else that has no known value, such as var.name or each.key.
func Ref(address string, at source.Span) *node.Node {
	return &node.Node{Kind: node.String, Tag: RefTag, Text: address, At: at}
}

// IsUnknown tells whether a value cannot be known.
func IsUnknown(n *node.Node) bool { return n != nil && n.Tag == UnknownTag }

// Tables maps the instances of a configuration, a plan or a state to tables,
// with the replicas, indexes and scaling that stand apart joined to them.
func Tables(resources []Resource) ([]*table.Table, []*source.Diagnostic) {
	m := &mapper{resources: resources}
	for i := range resources {
		if r := &resources[i]; r.Type == TypeTable && !source.Is(r.Exists, false) {
			m.tables = append(m.tables, joined{r, m.table(r)})
		}
	}
	m.joinIndexes()
	m.joinReplicas()
	m.joinScaling()
	var out []*table.Table
	for _, j := range m.tables {
		out = append(out, j.table)
	}
	return out, m.errs
}

// mapper holds one set of resources while it is mapped.
type mapper struct {
	reader
	resources []Resource
	tables    []joined
}

// joined is a table with the resource it is made of.
type joined struct {
	res   *Resource
	table *table.Table
}

// each visits the resources of a type that may exist.
func (m *mapper) each(resourceType string, visit func(*Resource)) {
	for i := range m.resources {
		if r := &m.resources[i]; r.Type == resourceType && !source.Is(r.Exists, false) {
			visit(r)
		}
	}
}

// doubt says why a resource may not exist, or "".
func (r *Resource) doubt() string {
	if r.Exists.Unresolved() {
		return r.Exists.Why
	}
	return ""
}
