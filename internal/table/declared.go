package table

import "ddbvet/internal/source"

// Entity is a kind of item that a design declares.
type Entity struct {
	At         source.Span
	Name       source.Value[string]
	Key        []Template            // how table and index key attributes are made
	Count      source.Value[float64] // items
	Size       Size                  // bytes of the whole item, names included
	Distinct   []Stat                // distinct values by attribute
	Busiest    []Stat                // share (0 to 1) of the traffic on the busiest value, by attribute
	Attributes []EntityAttribute
	Growth     source.Value[float64] // items added a day
	Retention  source.Value[float64] // seconds an item is kept; absent: for ever
	Owner      source.Value[string]
}

// Template is a key attribute's format: literals and {attribute} places, such
// as "COMPANY#{companyId}".
type Template struct {
	Attribute string
	Text      source.Value[string]
}

// Size is a distribution in bytes. One declared number fills P50, P99 and Max.
type Size struct{ P50, P99, Max source.Value[int64] }

// Stat is a number about one attribute.
type Stat struct {
	Attribute string
	N         source.Value[float64]
}

// EntityAttribute is one declared attribute of an entity.
type EntityAttribute struct {
	At        source.Span
	Name      string
	Type      source.Value[Type]
	Size      source.Value[int64]  // bytes of the value, without the name
	Element   source.Value[int64]  // bytes of one element of a list, map or set
	Elements  source.Value[int64]  // most elements it is meant to hold
	Unbounded source.Value[bool]   // grows without a stated end
	Optional  source.Value[bool]   // missing on some items
	Copied    source.Value[string] // "Entity" whose attribute this is a copy of
}

// Attribute returns the declared attribute of that name, or nil.
func (e *Entity) Attribute(name string) *EntityAttribute {
	for i := range e.Attributes {
		if e.Attributes[i].Name == name {
			return &e.Attributes[i]
		}
	}
	return nil
}

// KeyTemplate returns the template of a key attribute, if the entity has one.
func (e *Entity) KeyTemplate(attribute string) (source.Value[string], bool) {
	for _, t := range e.Key {
		if t.Attribute == attribute {
			return t.Text, true
		}
	}
	return source.Value[string]{}, false
}

// StatOf returns the number declared for an attribute; absent when none is.
func StatOf(stats []Stat, attribute string) source.Value[float64] {
	for _, s := range stats {
		if s.Attribute == attribute {
			return s.N
		}
	}
	return source.Value[float64]{}
}

// The operations a pattern can name, as the API names them.
const (
	GetItem            = "GetItem"
	BatchGetItem       = "BatchGetItem"
	Query              = "Query"
	Scan               = "Scan"
	PutItem            = "PutItem"
	UpdateItem         = "UpdateItem"
	DeleteItem         = "DeleteItem"
	BatchWriteItem     = "BatchWriteItem"
	TransactGetItems   = "TransactGetItems"
	TransactWriteItems = "TransactWriteItems"
)

// Operations lists the operations in the order of the contract.
var Operations = []string{
	GetItem, BatchGetItem, Query, Scan, PutItem, UpdateItem, DeleteItem,
	BatchWriteItem, TransactGetItems, TransactWriteItems,
}

// The importance of a pattern's path.
const (
	PathMain  = "main"  // users wait for it
	PathAdmin = "admin" // people run it now and then
	PathBatch = "batch" // jobs run it
)

// Pattern is one declared access pattern.
type Pattern struct {
	At         source.Span
	Name       source.Value[string]
	Table      source.Value[string]
	Index      source.Value[string] // absent: the base table
	Operation  source.Value[string]
	Entity     source.Value[string]
	Entities   source.List[source.Value[string]] // of a Query that reads several entities of one collection
	Key        source.Value[string]              // KeyConditionExpression
	Filter     source.Value[string]              // FilterExpression
	Names      []NameAlias                       // ExpressionAttributeNames
	Values     []ValueAlias                      // ExpressionAttributeValues, as templates
	Returns    source.Value[float64]             // items the caller gets, a call; of a batch or transaction: items in it
	Keeps      source.Value[float64]             // share (0 to 1) of the items read that the filter keeps
	Needs      source.List[source.Value[string]] // attributes the caller uses; see WholeItem
	WholeItem  bool                              // no needs were declared: the caller uses the whole item
	Order      source.Value[string]              // "newest-first", "oldest-first", "ascending" or "descending"
	OrderBy    source.Value[string]              // attribute the order is of; absent: the sort key
	Consistent source.Value[bool]
	Reason     source.Value[string]              // why a strong read is needed
	Average    source.Value[float64]             // calls a second
	Peak       source.Value[float64]             // calls a second
	Path       source.Value[string]              // PathMain (default), PathAdmin or PathBatch
	Sets       source.List[source.Value[string]] // attributes an UpdateItem changes; absent list: not declared
	Appends    *Append
	Fanout     source.Value[int64] // queries sent in parallel over shards of the key
}

// NameAlias is one entry of ExpressionAttributeNames ("#st" → "status").
type NameAlias struct {
	Alias string
	Name  source.Value[string]
}

// ValueAlias is one entry of ExpressionAttributeValues: a literal or a
// template of the same form as entity keys (":pk" → "USER#{userId}").
type ValueAlias struct {
	Alias string
	Text  source.Value[string]
}

// Append says that calls of a pattern grow one attribute.
type Append struct {
	At        source.Span
	Attribute source.Value[string]
	Size      source.Value[int64] // bytes added a call
	Times     source.Value[int64] // calls over an item's life
}

// Writes tells whether the operation changes items.
func Writes(op string) bool {
	switch op {
	case PutItem, UpdateItem, DeleteItem, BatchWriteItem, TransactWriteItems:
		return true
	}
	return false
}

// Transactional tells whether the operation is a transaction.
func Transactional(op string) bool { return op == TransactGetItems || op == TransactWriteItems }
