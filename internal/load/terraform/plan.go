package terraform

import (
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// IsPlan tells whether a document is what `terraform show -json` prints of a
// plan or a state.
func IsPlan(doc *node.Node) bool {
	if doc.Get("format_version") == nil {
		return false
	}
	return slices.ContainsFunc([]string{"planned_values", "resource_changes", "values", "terraform_version"},
		func(key string) bool { return doc.Get(key) != nil })
}

// LoadPlan reads a plan, of which it takes what is planned, or a state. It
// knows the formats 0.1 to 1.2; later ones of the same major version only add.
func LoadPlan(doc *node.Node) ([]*table.Table, []*source.Diagnostic) {
	p := &plan{doc: doc, changes: map[string]*node.Node{}}
	version := doc.Get("format_version")
	if major, _, _ := strings.Cut(version.Text, "."); major != "0" && major != "1" {
		return nil, []*source.Diagnostic{source.Errorf(version.At, "format_version is %s, expected 0.1 to 1.2", show(version))}
	}
	p.config = readConfig(doc)
	for _, c := range items(doc.Get("resource_changes")) {
		if c.Get("deposed") == nil {
			p.changes[textOf(c, "address")] = c
		}
	}
	p.planned = doc.Get("values") == nil
	switch {
	case !p.planned:
		p.module(doc.Get("values").Get("root_module"))
	case doc.Get("planned_values") != nil:
		p.module(doc.Get("planned_values").Get("root_module"))
	default:
		for _, c := range items(doc.Get("resource_changes")) {
			p.change(c, source.Value[bool]{})
		}
	}
	for _, d := range items(doc.Get("deferred_changes")) {
		c := d.Get("resource_change")
		p.change(c, source.Unresolved[bool]("the plan defers it: "+textOf(d, "reason"), place(d, "resource_change")))
	}
	tables, errs := Tables(p.resources)
	return tables, append(p.errs, errs...)
}

// plan gathers the resources of one document.
type plan struct {
	doc       *node.Node
	planned   bool
	config    *config
	changes   map[string]*node.Node // by address
	resources []Resource
	errs      []*source.Diagnostic
}

// module adds the resources of a module and of the modules under it.
func (p *plan) module(m *node.Node) {
	for _, r := range items(m.Get("resources")) {
		if r.Get("deposed_key") == nil {
			p.add(r, textOf(m, "address"), r.Get("values"), p.changes[textOf(r, "address")], source.Value[bool]{})
		}
	}
	for _, child := range items(m.Get("child_modules")) {
		p.module(child)
	}
}

// change adds the resource that a change leads to.
func (p *plan) change(c *node.Node, exists source.Value[bool]) {
	after := c.Get("change").Get("after")
	if after == nil || after.Kind != node.Map || c.Get("deposed") != nil {
		return
	}
	p.add(c, textOf(c, "module_address"), after, c, exists)
}

// add makes one resource of its values and of what the change does not know.
func (p *plan) add(r *node.Node, module string, values, change *node.Node, exists source.Value[bool]) {
	kind, mode := textOf(r, "type"), textOf(r, "mode")
	if !Wanted(kind) || mode != "" && mode != "managed" {
		return
	}
	res := Resource{
		Type: kind, Address: textOf(r, "address"), Base: kind + "." + textOf(r, "name"),
		At: r.At, Exists: exists,
	}
	if module != "" {
		res.Base = module + "." + res.Base
	}
	if res.Address == "" {
		p.errs = append(p.errs, source.Errorf(r.At, "a resource of type %s has no address", kind))
		return
	}
	if key := r.Get("index"); key != nil && key.Kind != node.Null {
		res.Key = key.Text
	}
	if values == nil || values.Kind != node.Map {
		values = &node.Node{Kind: node.Map, At: r.At}
	}
	def := p.config.resource(res.Base)
	res.Region = p.config.region(p.doc, def)
	res.Body = p.body(values, change, def, module)
	if p.planned && change == nil {
		res.Body = withGaps(res.Body, kind)
	}
	p.resources = append(p.resources, res)
}

// body puts an Unknown in place of every value that is known after apply.
func (p *plan) body(values, change *node.Node, def *configResource, module string) *node.Node {
	u := change.Get("change").Get("after_unknown")
	m := merger{
		def: def, config: p.config, module: module,
		create: slices.ContainsFunc(items(change.Get("change").Get("actions")), func(a *node.Node) bool { return a.Text == "create" }),
	}
	return m.merge(values, u, nil)
}

// merger joins the values after a change with the tree that marks which of
// them are not known.
type merger struct {
	def    *configResource
	config *config
	module string
	create bool
}

func (m merger) merge(v, u *node.Node, path []string) *node.Node {
	switch {
	case u == nil:
	case u.Kind == node.Bool && u.Text == "true":
		return m.unknown(u, path)
	case u.Kind == node.Map && (v == nil || v.Kind == node.Null || v.Kind == node.Map):
		return m.object(v, u, path)
	case u.Kind == node.Seq && (v == nil || v.Kind == node.Null || v.Kind == node.Seq):
		return m.list(v, u, path)
	}
	return v
}

func (m merger) object(v, u *node.Node, path []string) *node.Node {
	out := &node.Node{Kind: node.Map, At: u.At}
	if v != nil {
		out.At = v.At
	}
	given := map[string]bool{}
	if v != nil {
		for _, p := range v.Pairs {
			given[p.Key.Text] = true
			out.Pairs = append(out.Pairs, node.Pair{Key: p.Key, Value: m.merge(p.Value, u.Get(p.Key.Text), append(path, p.Key.Text))})
		}
	}
	for _, p := range u.Pairs {
		inner := slices.Concat(path, []string{p.Key.Text})
		if given[p.Key.Text] || p.Value.Kind == node.Bool && p.Value.Text == "true" && m.computed(inner) {
			continue
		}
		if x := m.merge(nil, p.Value, inner); x != nil {
			out.Pairs = append(out.Pairs, node.Pair{Key: p.Key, Value: x})
		}
	}
	return out
}

func (m merger) list(v, u *node.Node, path []string) *node.Node {
	var have []*node.Node
	if v != nil {
		have = v.Items
	}
	out := &node.Node{Kind: node.Seq, At: u.At}
	if v != nil {
		out.At = v.At
	}
	for i := range max(len(have), len(u.Items)) {
		var a, b *node.Node
		if i < len(have) {
			a = have[i]
		}
		if i < len(u.Items) {
			b = u.Items[i]
		}
		if x := m.merge(a, b, path); x != nil {
			out.Items = append(out.Items, x)
		}
	}
	return out
}

// computed tells whether an unknown value of a new resource is only one that
// the provider fills in: the configuration says nothing of it. Blocks may come
// from dynamic ones, which a plan's configuration leaves out.
func (m merger) computed(path []string) bool {
	if !m.create || m.def == nil || path[len(path)-1] == "tags_all" {
		return false
	}
	switch path[0] {
	case "point_in_time_recovery", "ttl", "server_side_encryption", "replica":
		if len(path) == 1 {
			return false
		}
	}
	return len(path) <= 2 && m.def.leavesOut(path)
}

// unknown says of a value what it is made of, where the configuration does.
func (m merger) unknown(u *node.Node, path []string) *node.Node {
	why := "known after apply"
	var parts []*node.Node
	if m.def != nil && len(path) == 1 {
		refs := m.config.references(m.def.expressions().Get(path[0]), m.def, m.module)
		for _, r := range refs {
			parts = append(parts, Ref(r, u.At))
		}
		if len(refs) > 0 {
			why += ": " + refs[0]
		}
	}
	return Unknown(why, u.At, parts...)
}

// arguments are those of which a value that is missing from a plan without
// changes may be one that is not known.
var arguments = map[string][]string{
	TypeTable: {
		"name", "hash_key", "range_key", "billing_mode", "read_capacity", "write_capacity", "attribute",
		"global_secondary_index", "local_secondary_index", "ttl", "point_in_time_recovery", "table_class",
		"deletion_protection_enabled", "stream_enabled", "stream_view_type", "server_side_encryption",
		"replica", "on_demand_throughput", "warm_throughput", "tags",
	},
	TypeReplica: {"global_table_arn", "point_in_time_recovery", "table_class_override", "deletion_protection_enabled"},
	TypeIndex:   {"table_name", "index_name", "key_schema", "projection", "provisioned_throughput", "on_demand_throughput"},
	TypeTarget:  {"resource_id", "scalable_dimension", "min_capacity", "max_capacity"},
	TypePolicy:  {"resource_id", "scalable_dimension", "target_tracking_scaling_policy_configuration"},
}

// withGaps makes what is missing unknown, because nothing tells what of it is
// known after apply.
func withGaps(body *node.Node, kind string) *node.Node {
	out := *body
	out.Pairs = slices.Clone(body.Pairs)
	for _, key := range arguments[kind] {
		if body.Get(key) == nil {
			out.Pairs = append(out.Pairs, node.Pair{
				Key:   &node.Node{Kind: node.String, Text: key, At: body.At},
				Value: Unknown("the plan has no resource_changes that tell it", body.At),
			})
		}
	}
	return &out
}

// items are the maps or scalars of a list, none where it is not one.
func items(n *node.Node) []*node.Node {
	if n == nil || n.Kind != node.Seq {
		return nil
	}
	return n.Items
}

func textOf(n *node.Node, key string) string {
	if v := n.Get(key); v != nil && v.Kind == node.String {
		return v.Text
	}
	return ""
}
