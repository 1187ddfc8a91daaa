// Package node holds a JSON or YAML document as a tree in which everything has
// its place. It knows neither CloudFormation nor DynamoDB.
package node

import "ddbvet/internal/source"

// Kind is the kind of a node.
type Kind uint8

// The kinds. A YAML scalar is String when quoted, else what the core schema
// makes of it; Text always holds what was written ("012" stays "012").
const (
	Null Kind = iota
	Bool
	Number
	String
	Seq
	Map
)

// Node is one value. Tag is a YAML local tag ("!Ref"), or "".
type Node struct {
	Kind  Kind
	Tag   string
	Text  string // of scalars
	Items []*Node
	Pairs []Pair // in written order, keys unique
	At    source.Span
}

// Pair is one entry of a map.
type Pair struct{ Key, Value *Node }

// Get returns the value of a key, or nil; a nil or other node has no keys.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p.Value
		}
	}
	return nil
}
