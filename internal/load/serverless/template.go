package serverless

import (
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// template is the CloudFormation template under "resources", or nil where the
// service has none.
func (r *resolver) template() *node.Node {
	written := r.root.Get("resources")
	if written == nil {
		return nil
	}
	res := r.deep(written)
	parts := []*node.Node{res}
	if res.Kind == node.Seq && res.Tag == "" {
		parts = res.Items
	}
	var whole *node.Node
	for _, p := range parts {
		switch {
		case isUnknown(p):
			r.unread("resources", p)
		case p.Kind == node.Null:
		case p.Kind != node.Map || p.Tag != "":
			r.fault(p.At, "found a %s among the resources, expected a map with Resources", p.Kind)
		default:
			r.parts = append(r.parts, p)
			if whole != nil {
				p = merge(whole, p)
			}
			whole = p
		}
	}
	if whole == nil {
		return nil
	}
	return r.known(extend(whole))
}

// unread reports a part of the template that is not known: there may be tables
// in it, and silence would pass them.
func (r *resolver) unread(what string, n *node.Node) {
	if r.why[n] == circular {
		return
	}
	r.fault(n.At, "%s cannot be read, as %q is not known: %s", what, clip(n.Text), r.why[n])
}

// known leaves out the sections and resources that are not known as a whole.
func (r *resolver) known(template *node.Node) *node.Node {
	out := r.without(template, "the section ")
	for i, p := range out.Pairs {
		if p.Key.Text == "Resources" && p.Value.Kind == node.Map && p.Value.Tag == "" {
			out.Pairs[i].Value = r.without(p.Value, "resource ")
		}
	}
	return out
}

func (r *resolver) without(n *node.Node, what string) *node.Node {
	out := *n
	out.Pairs = nil
	for _, p := range n.Pairs {
		if isUnknown(p.Value) {
			r.unread(what+`"`+p.Key.Text+`"`, p.Value)
			continue
		}
		out.Pairs = append(out.Pairs, p)
	}
	return &out
}

// extend applies the section "extensions", which adds to resources that stand
// elsewhere, and takes it out.
func extend(template *node.Node) *node.Node {
	extensions := template.Get("extensions")
	if extensions == nil {
		return template
	}
	out := *template
	out.Pairs = nil
	for _, p := range template.Pairs {
		switch {
		case p.Key.Text == "extensions":
			continue
		case p.Key.Text == "Resources" && p.Value.Kind == node.Map && extensions.Kind == node.Map:
			p.Value = extendAll(p.Value, extensions)
		}
		out.Pairs = append(out.Pairs, p)
	}
	return &out
}

// extendAll adds each extension to its resource. One for a resource that the
// framework itself makes finds none here.
func extendAll(resources, extensions *node.Node) *node.Node {
	out := *resources
	out.Pairs = make([]node.Pair, len(resources.Pairs))
	for i, p := range resources.Pairs {
		if ext := extensions.Get(p.Key.Text); ext != nil {
			p.Value = merge(p.Value, ext)
		}
		out.Pairs[i] = p
	}
	return &out
}

// merge lays b over a: maps and lists entry by entry, anything else is b. An
// unknown on either side leaves the whole unknown.
func merge(a, b *node.Node) *node.Node {
	switch {
	case isUnknown(a):
		return a
	case a.Tag != "" || b.Tag != "" || a.Kind != b.Kind:
		return b
	case a.Kind == node.Map:
		return mergeMaps(a, b)
	case a.Kind == node.Seq:
		out := *a
		out.Items = append([]*node.Node(nil), a.Items...)
		for i, it := range b.Items {
			if i < len(a.Items) {
				out.Items[i] = merge(a.Items[i], it)
			} else {
				out.Items = append(out.Items, it)
			}
		}
		return &out
	}
	return b
}

func mergeMaps(a, b *node.Node) *node.Node {
	out := *a
	out.Pairs = append([]node.Pair(nil), a.Pairs...)
	index := make(map[string]int, len(a.Pairs))
	for i, p := range a.Pairs {
		index[p.Key.Text] = i
	}
	for _, p := range b.Pairs {
		if i, ok := index[p.Key.Text]; ok {
			out.Pairs[i].Value = merge(out.Pairs[i].Value, p.Value)
		} else {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}

// plugins lists the names of the service's plugins with their places.
func (r *resolver) plugins() (names []*node.Node) {
	list := r.root.Get("plugins")
	if list == nil {
		return nil
	}
	list = r.deep(list)
	if m := list.Get("modules"); m != nil {
		list = m
	}
	for _, it := range list.Items {
		if it.Kind == node.String {
			names = append(names, it)
		}
	}
	return names
}

// changes tells whether a plugin, by its name, changes that part of DynamoDB
// tables when deploying.
func changes(plugin, part string) bool {
	name := strings.ReplaceAll(strings.ToLower(plugin), "auto-scaling", "autoscaling")
	return strings.Contains(name, "dynamo") && strings.Contains(name, part)
}

func doubt[T any](v source.Value[T], plugin *node.Node) source.Value[T] {
	if v.Written() || v.Unresolved() {
		return v
	}
	return source.Unresolved[T]("plugin "+plugin.Text+" may set it", plugin.At)
}
