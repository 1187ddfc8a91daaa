package reports

import (
	"strconv"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

type inspectJSON struct {
	Schema string         `json:"schema"`
	Tables []inspectTable `json:"tables"`
	Errors []errorJSON    `json:"errors"`
}

type errorJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type placeJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type inspectTable struct {
	LogicalName        string           `json:"logical_name"`
	ResourceType       string           `json:"resource_type"`
	TableName          *string          `json:"table_name"`
	Region             *string          `json:"region"`
	PartitionKey       *inspectKey      `json:"partition_key"`
	SortKey            *inspectKey      `json:"sort_key"`
	BillingMode        *string          `json:"billing_mode"`
	RCU                *int64           `json:"rcu"`
	WCU                *int64           `json:"wcu"`
	OnDemandMax        inspectPair      `json:"on_demand_max"`
	WarmThroughput     inspectPair      `json:"warm_throughput"`
	GSIs               []inspectIndex   `json:"gsis"`
	LSIs               []inspectIndex   `json:"lsis"`
	VectorIndexes      []string         `json:"vector_indexes"`
	TTLAttribute       *string          `json:"ttl_attribute"`
	TTLEnabled         *bool            `json:"ttl_enabled"`
	StreamView         *string          `json:"stream_view"`
	PITR               *bool            `json:"pitr"`
	DeletionProtection *bool            `json:"deletion_protection"`
	TableClass         *string          `json:"table_class"`
	KMSKey             *string          `json:"kms_key"`
	Replicas           []inspectReplica `json:"replicas"`
	Autoscaling        inspectScaling   `json:"autoscaling"`
	Unresolved         []string         `json:"unresolved"`
	Reasons            []reasonJSON     `json:"unresolved_reasons"`
	Entities           int              `json:"entities"`
	AccessPatterns     int              `json:"access_patterns"`
	Source             placeJSON        `json:"source"`
}

type reasonJSON struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

type inspectKey struct {
	Name *string `json:"name"`
	Type *string `json:"type"`
}

type inspectPair struct {
	Read  *int64 `json:"read"`
	Write *int64 `json:"write"`
}

type inspectIndex struct {
	Name             *string        `json:"name"`
	PartitionKeys    []inspectKey   `json:"partition_keys"`
	SortKeys         []inspectKey   `json:"sort_keys"`
	Projection       *string        `json:"projection"`
	NonKeyAttributes []string       `json:"non_key_attributes"`
	RCU              *int64         `json:"rcu"`
	WCU              *int64         `json:"wcu"`
	OnDemandMax      inspectPair    `json:"on_demand_max"`
	Autoscaling      inspectScaling `json:"autoscaling"`
}

type inspectReplica struct {
	Region             *string        `json:"region"`
	TableClass         *string        `json:"table_class"`
	PITR               *bool          `json:"pitr"`
	DeletionProtection *bool          `json:"deletion_protection"`
	RCU                *int64         `json:"rcu"`
	ReadAutoscaling    *inspectTarget `json:"read_autoscaling"`
}

type inspectScaling struct {
	Read  *inspectTarget `json:"read"`
	Write *inspectTarget `json:"write"`
}

type inspectTarget struct {
	Min    *int64   `json:"min"`
	Max    *int64   `json:"max"`
	Target *float64 `json:"target"`
}

// Inspect reports the tables that were read and what could not be known.
func Inspect(tables []*table.Table, errs []*source.Diagnostic) Report {
	doc := inspectJSON{Schema: "ddbvet/inspect/v1", Tables: []inspectTable{}, Errors: errorsJSON(errs)}
	var blocks []Block
	for _, t := range tables {
		it := inspectOne(t)
		doc.Tables = append(doc.Tables, it)
		blocks = append(blocks, inspectBlocks(t, it)...)
	}
	return Report{doc, append(blocks, errorBlocks(errs)...)}
}

func errorsJSON(errs []*source.Diagnostic) []errorJSON {
	out := []errorJSON{}
	for _, e := range errs {
		out = append(out, errorJSON{fileName(e.At), e.At.Start.Line, e.At.Start.Col, e.Message})
	}
	return out
}

func errorBlocks(errs []*source.Diagnostic) (blocks []Block) {
	for _, e := range errs {
		blocks = append(blocks, Remark{At: e.At, Tone: Bad, Label: "error", Message: e.Message})
	}
	return blocks
}

func fileName(s source.Span) string {
	if s.File == nil {
		return ""
	}
	return s.File.Name
}

func placeOf(s source.Span) placeJSON { return placeJSON{fileName(s), s.Start.Line, s.Start.Col} }

// fields collects the paths of unresolved values while values are read.
type fields struct{ list []reasonJSON }

func get[T any](f *fields, path string, v source.Value[T]) *T {
	if v.Unresolved() {
		f.list = append(f.list, reasonJSON{path, v.Why})
	}
	if x, ok := v.Get(); ok {
		return &x
	}
	return nil
}

func (f *fields) incomplete(path, why string) {
	if why != "" {
		f.list = append(f.list, reasonJSON{path, why})
	}
}

func inspectOne(t *table.Table) inspectTable {
	f := &fields{}
	it := inspectTable{
		LogicalName: t.LogicalName, ResourceType: t.ResourceType,
		TableName: get(f, "table_name", t.Name), Region: get(f, "region", t.Region),
		PartitionKey: firstKey(f, "partition_key", t.Key, t.Key.Partition()),
		SortKey:      firstKey(f, "sort_key", t.Key, t.Key.Sort()),
		BillingMode:  get(f, "billing_mode", t.Billing),
		RCU:          get(f, "rcu", t.Capacity.Read), WCU: get(f, "wcu", t.Capacity.Write),
		OnDemandMax: pair(f, "on_demand_max", t.MaxOnDemand), WarmThroughput: pair(f, "warm_throughput", t.Warm),
		GSIs: inspectIndexes(f, "gsis", t.GSIs), LSIs: inspectIndexes(f, "lsis", t.LSIs), VectorIndexes: []string{},
		TTLAttribute: get(f, "ttl_attribute", t.TTL.Attribute), TTLEnabled: get(f, "ttl_enabled", t.TTL.Enabled),
		StreamView: get(f, "stream_view", t.StreamView), PITR: get(f, "pitr", t.PITR),
		DeletionProtection: get(f, "deletion_protection", t.DeletionProtection),
		TableClass:         get(f, "table_class", t.Class), KMSKey: get(f, "kms_key", t.KMSKey),
		Replicas: replicas(f, t), Autoscaling: scaling(f, "autoscaling", t.Scaling),
		Entities: len(t.Entities.Items), AccessPatterns: len(t.Patterns.Items),
		Unresolved: []string{}, Source: placeOf(t.At),
	}
	for i, v := range t.Vectors.Items {
		if n := get(f, "vector_indexes."+strconv.Itoa(i)+".name", v.Name); n != nil {
			it.VectorIndexes = append(it.VectorIndexes, *n)
		}
	}
	f.incomplete("vector_indexes", t.Vectors.Incomplete)
	it.Reasons = f.list
	if it.Reasons == nil {
		it.Reasons = []reasonJSON{}
	}
	for _, r := range f.list {
		it.Unresolved = append(it.Unresolved, r.Field)
	}
	return it
}

// firstKey is a base table's key attribute; nil when absent or its name is
// not known.
func firstKey(f *fields, path string, k table.Key, attrs []table.Attribute) *inspectKey {
	if len(attrs) == 0 {
		f.incomplete(path, k.Incomplete)
		return nil
	}
	a := attrs[0]
	if a.Name.Unresolved() {
		f.incomplete(path, a.Name.Why)
		return nil
	}
	return &inspectKey{get(f, path+".name", a.Name), get(f, path+".type", a.Type)}
}

func keyList(f *fields, path string, attrs []table.Attribute) []inspectKey {
	out := []inspectKey{}
	for i, a := range attrs {
		p := path + "." + strconv.Itoa(i)
		out = append(out, inspectKey{get(f, p+".name", a.Name), get(f, p+".type", a.Type)})
	}
	return out
}

func pair(f *fields, path string, t table.Throughput) inspectPair {
	return inspectPair{get(f, path+".read", t.Read), get(f, path+".write", t.Write)}
}

// inspectIndexes is nil, which JSON shows as null, where nothing certain is
// known of a list.
func inspectIndexes(f *fields, path string, l source.List[*table.Index]) []inspectIndex {
	f.incomplete(path, l.Incomplete)
	if !l.Complete() && len(l.Items) == 0 {
		return nil
	}
	out := []inspectIndex{}
	for i, ix := range l.Items {
		p := path + "." + strconv.Itoa(i)
		if n, ok := ix.Name.Get(); ok {
			p = path + "." + n
		}
		f.incomplete(p+".keys", ix.Key.Incomplete)
		out = append(out, inspectIndex{
			Name: get(f, p+".name", ix.Name), PartitionKeys: keyList(f, p+".partition_keys", ix.Key.Partition()),
			SortKeys: keyList(f, p+".sort_keys", ix.Key.Sort()), Projection: get(f, p+".projection", ix.Projection),
			NonKeyAttributes: names(f, p+".non_key_attributes", ix.NonKey),
			RCU:              get(f, p+".rcu", ix.Capacity.Read), WCU: get(f, p+".wcu", ix.Capacity.Write),
			OnDemandMax: pair(f, p+".on_demand_max", ix.MaxOnDemand), Autoscaling: scaling(f, p+".autoscaling", ix.Scaling),
		})
	}
	return out
}

func names(f *fields, path string, l source.List[source.Value[string]]) []string {
	f.incomplete(path, l.Incomplete)
	out := []string{}
	for i, v := range l.Items {
		if n := get(f, path+"."+strconv.Itoa(i), v); n != nil {
			out = append(out, *n)
		}
	}
	return out
}

func replicas(f *fields, t *table.Table) []inspectReplica {
	f.incomplete("replicas", t.Replicas.Incomplete)
	if !t.Replicas.Complete() && len(t.Replicas.Items) == 0 {
		return nil
	}
	out := []inspectReplica{}
	for i, r := range t.Replicas.Items {
		p := "replicas." + strconv.Itoa(i)
		out = append(out, inspectReplica{
			Region: get(f, p+".region", r.Region), TableClass: get(f, p+".table_class", r.Class),
			PITR: get(f, p+".pitr", r.PITR), DeletionProtection: get(f, p+".deletion_protection", r.DeletionProtection),
			RCU: get(f, p+".rcu", r.Read), ReadAutoscaling: target(f, p+".read_autoscaling", r.ReadScaling),
		})
	}
	return out
}

func scaling(f *fields, path string, s table.AutoScaling) inspectScaling {
	return inspectScaling{target(f, path+".read", s.Read), target(f, path+".write", s.Write)}
}

func target(f *fields, path string, v source.Value[table.ScalingTarget]) *inspectTarget {
	s := get(f, path, v)
	if s == nil {
		return nil
	}
	return &inspectTarget{get(f, path+".min", s.Min), get(f, path+".max", s.Max), get(f, path+".target", s.Percent)}
}

func text[T any](p *T, show func(T) string) string {
	if p == nil {
		return "-"
	}
	return show(*p)
}

func same(s string) string { return s }

func joinKeys(ks []inspectKey) string {
	var parts []string
	for _, k := range ks {
		parts = append(parts, text(k.Name, same)+":"+text(k.Type, same))
	}
	return strings.Join(parts, " + ")
}
