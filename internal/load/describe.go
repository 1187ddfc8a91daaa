package load

import (
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The resource types of tables that are given as the API's own documents.
const (
	DescribeTable = "describe-table"
	CreateTable   = "create-table"
)

// describeMarks are members that only an answer of DescribeTable has; the
// input of CreateTable has none of them.
var describeMarks = []string{
	"TableStatus", "TableArn", "TableId", "CreationDateTime", "ItemCount", "TableSizeBytes",
	"BillingModeSummary", "TableClassSummary", "SSEDescription", "LatestStreamArn",
}

// apiTable finds the table in a document that is an answer of DescribeTable,
// CreateTable or UpdateTable, or the input of CreateTable, bare or wrapped.
// The resource type is "" where the document is none of them.
func apiTable(doc *node.Node) (body *node.Node, resourceType string) {
	if d := doc.Get("TableDescription"); d != nil && d.Kind == node.Map {
		return d, DescribeTable
	}
	for _, n := range []*node.Node{doc, doc.Get("Table")} {
		if n.Get("TableName") == nil && n.Get("TableArn") == nil && n.Get("AttributeDefinitions") == nil {
			continue
		}
		if n.Get("KeySchema") == nil && n.Get("TableStatus") == nil {
			continue
		}
		for _, mark := range describeMarks {
			if n.Get(mark) != nil {
				return n, DescribeTable
			}
		}
		return n, CreateTable
	}
	return nil, ""
}

// apiReader fills a table from one document.
type apiReader struct {
	fields
	body *node.Node
	live bool // an answer of DescribeTable
	// gap is why a fact that the document cannot hold is unresolved.
	gap string
}

// readAPITable loads what apiTable has found.
func readAPITable(body *node.Node, resourceType string) Result {
	r := &apiReader{body: body, live: resourceType == DescribeTable, gap: "not part of CreateTable"}
	if r.live {
		r.gap = "not part of DescribeTable"
	}
	t := &table.Table{At: body.At, ResourceType: resourceType, Name: r.text(body, "TableName")}
	t.LogicalName, _ = t.Name.Get()
	if t.Name.Absent() {
		r.errs = append(r.errs, source.Errorf(body.At, "the table has no TableName"))
		t.Name = source.Unresolved[string]("TableName is missing", body.At)
	}
	t.Region, t.Account = r.home()
	r.schema(t)
	r.billing(t)
	r.settings(t)
	r.protection(t)
	r.replicas(t)
	return Result{Tables: []*table.Table{t}, Errors: r.errs}
}

// schema reads keys and indexes.
func (r *apiReader) schema(t *table.Table) {
	t.Attributes = r.attributeDefs()
	t.Key = r.key(r.body, t.Attributes)
	t.GSIs = r.indexes("GlobalSecondaryIndexes", table.GSI, t.Attributes)
	t.LSIs = r.indexes("LocalSecondaryIndexes", table.LSI, t.Attributes)
	items, place, incomplete := r.list(r.body, "VectorIndexes")
	t.Vectors = source.List[table.VectorIndex]{At: place, Incomplete: incomplete}
	for _, n := range items {
		schema, at, incomplete := r.list(n, "SearchSchema")
		search := source.List[source.Value[string]]{At: at, Incomplete: incomplete}
		for _, element := range schema {
			search.Items = append(search.Items, r.text(element, "AttributeName"))
		}
		t.Vectors.Items = append(t.Vectors.Items, table.VectorIndex{
			At: n.At, Name: r.text(n, "IndexName"), Dimensions: r.number(n, "Dimensions"), Search: search,
			Attribute: r.text(r.object(n, "VectorAttribute"), "AttributeName"),
		})
	}
}

// billing reads the capacity mode and everything that belongs to it. An answer
// without BillingModeSummary is of a table that was never on-demand.
func (r *apiReader) billing(t *table.Table) {
	from := r.body
	if r.live {
		from = r.object(r.body, "BillingModeSummary")
	}
	t.Billing = r.oneOf(from, "BillingMode", table.PayPerRequest, table.Provisioned)
	t.Capacity = r.throughput(r.body, "ProvisionedThroughput", "ReadCapacityUnits", "WriteCapacityUnits")
	none := source.Is(t.Capacity.Read, 0) && source.Is(t.Capacity.Write, 0)
	switch {
	case t.Billing.Absent() && r.live && (none || member(r.body, "BillingModeSummary") != nil):
		t.Billing = source.Unresolved[string]("no BillingMode, and no capacity", r.body.At)
	case t.Billing.Absent():
		t.Billing = source.Defaulted(table.Provisioned, r.body.At)
	}
	if r.live {
		t.Capacity = withoutZero(t.Capacity, t.Billing)
		for _, ix := range t.GSIs.Items {
			ix.Capacity = withoutZero(ix.Capacity, t.Billing)
		}
	}
	t.MaxOnDemand = maximum(r.throughput(r.body, "OnDemandThroughput", "MaxReadRequestUnits", "MaxWriteRequestUnits"))
	t.Warm = r.throughput(r.body, "WarmThroughput", "ReadUnitsPerSecond", "WriteUnitsPerSecond")
	t.Scaling = r.scaling()
}

// settings reads the class, the stream and the live table's counts.
func (r *apiReader) settings(t *table.Table) {
	from := r.body
	if r.live {
		from = r.object(r.body, "TableClassSummary")
	}
	t.Class = r.oneOf(from, "TableClass", table.Standard, table.InfrequentAccess)
	if t.Class.Absent() {
		t.Class = source.Defaulted(table.Standard, r.body.At)
	}
	stream := r.object(r.body, "StreamSpecification")
	switch on := r.flag(stream, "StreamEnabled"); {
	case source.Is(on, true):
		if t.StreamView = r.text(stream, "StreamViewType"); t.StreamView.Absent() {
			t.StreamView = source.Unresolved[string]("StreamViewType is missing", stream.At)
		}
	case on.Unresolved():
		t.StreamView = source.Unresolved[string](on.Why, on.At)
	default:
		t.StreamView = source.Absent[string](at(stream))
	}
	t.ItemCount = r.number(r.body, "ItemCount")
	t.SizeBytes = r.number(r.body, "TableSizeBytes")
	t.Created = created(r.body)
}

// protection reads what guards the data, and says what the API does not tell.
func (r *apiReader) protection(t *table.Table) {
	t.TTL.Attribute = source.Unresolved[string](r.gap, r.body.At)
	t.TTL.Enabled = source.Unresolved[bool](r.gap, r.body.At)
	t.PITR = source.Unresolved[bool](r.gap, r.body.At)
	t.DeletionProtection = r.flag(r.body, "DeletionProtectionEnabled")
	if t.DeletionProtection.Absent() && r.live {
		t.DeletionProtection = source.Unresolved[bool]("not in this answer", r.body.At)
	} else if t.DeletionProtection.Absent() {
		t.DeletionProtection = source.Defaulted(false, r.body.At)
	}
	t.KMSKey = r.kmsKey()
	if r.live {
		t.Tags = source.List[table.Tag]{At: r.body.At, Incomplete: r.gap}
		return
	}
	items, place, incomplete := r.list(r.body, "Tags")
	t.Tags = source.List[table.Tag]{At: place, Incomplete: incomplete}
	for _, n := range items {
		t.Tags.Items = append(t.Tags.Items, table.Tag{Key: r.text(n, "Key"), Value: r.text(n, "Value")})
	}
}

// kmsKey is the key of a table with KMS encryption. An answer shows the key of
// AWS's own account key too; nothing in it tells the two apart.
func (r *apiReader) kmsKey() source.Value[string] {
	if !r.live {
		sse := r.object(r.body, "SSESpecification")
		key := r.text(sse, "KMSMasterKeyId")
		if on := r.flag(sse, "Enabled"); key.Absent() && source.Is(on, true) {
			return source.Defaulted("alias/aws/dynamodb", sse.At)
		} else if source.Is(on, false) {
			return source.Absent[string](on.At)
		}
		return key
	}
	sse := r.object(r.body, "SSEDescription")
	key := r.text(sse, "KMSMasterKeyArn")
	if status := r.text(sse, "Status"); key.Absent() && (source.Is(status, "UPDATING") || source.Is(status, "ENABLING")) {
		return source.Unresolved[string]("encryption is being changed", status.At)
	}
	return key
}
