package terraform

import (
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// maxChase bounds how far a reference is followed through variables and
// outputs of modules.
const maxChase = 20

// config is the configuration section of a plan: which expressions made the
// values.
type config struct {
	modules   map[string]*configModule // by path without instance keys
	resources map[string]*configResource
	providers *node.Node
}

// configModule is a module as it is written, once for all its instances.
type configModule struct {
	body   *node.Node
	call   *node.Node // the call in its parent; nil of the root
	parent *configModule
	path   string // without instance keys, with a final dot; "" of the root
}

// configResource is a resource as it is written.
type configResource struct {
	body   *node.Node
	module *configModule
}

func readConfig(doc *node.Node) *config {
	c := &config{modules: map[string]*configModule{}, resources: map[string]*configResource{}}
	section := doc.Get("configuration")
	c.providers = section.Get("provider_config")
	if root := section.Get("root_module"); root != nil {
		c.add(&configModule{body: root})
	}
	return c
}

func (c *config) add(m *configModule) {
	c.modules[m.path] = m
	for _, r := range items(m.body.Get("resources")) {
		c.resources[m.path+textOf(r, "address")] = &configResource{body: r, module: m}
	}
	calls := m.body.Get("module_calls")
	if calls == nil || calls.Kind != node.Map {
		return
	}
	for _, p := range calls.Pairs {
		if body := p.Value.Get("module"); body != nil {
			c.add(&configModule{body: body, call: p.Value, parent: m, path: m.path + "module." + p.Key.Text + "."})
		}
	}
}

// resource finds how a resource is written.
func (c *config) resource(base string) *configResource {
	return c.resources[withoutKeys(base)]
}

func (r *configResource) expressions() *node.Node {
	if r == nil {
		return nil
	}
	return r.body.Get("expressions")
}

// leavesOut tells whether the configuration certainly does not set an
// argument, or an argument of any block of one kind. Dynamic blocks do not
// show, so that where no block of the kind is written nothing is certain.
func (r *configResource) leavesOut(path []string) bool {
	e := r.expressions().Get(path[0])
	if len(path) == 1 {
		return r.expressions() != nil && e == nil
	}
	if e == nil {
		return false
	}
	written := items(e)
	if e.Kind == node.Map {
		written = []*node.Node{e}
	}
	return len(written) > 0 && !slices.ContainsFunc(written, func(b *node.Node) bool { return b.Get(path[1]) != nil })
}

// region is that of a resource's provider, absent where it is not written.
func (c *config) region(doc *node.Node, r *configResource) source.Value[string] {
	if r == nil {
		return source.Value[string]{}
	}
	e := c.providers.Get(textOf(r.body, "provider_config_key")).Get("expressions").Get("region")
	if v := e.Get("constant_value"); v != nil && v.Kind == node.String {
		return source.Written(v.Text, v.At)
	}
	for _, ref := range items(e.Get("references")) {
		name, ok := strings.CutPrefix(ref.Text, "var.")
		if v := doc.Get("variables").Get(name).Get("value"); ok && v != nil && v.Kind == node.String && len(items(e.Get("references"))) == 1 {
			return source.Written(v.Text, v.At)
		}
	}
	return source.Value[string]{}
}

// references are the full addresses of what an expression takes its value
// from: through variables to the caller, through outputs into a module.
func (c *config) references(e *node.Node, r *configResource, module string) []string {
	ch := chaser{config: c, seen: map[string]bool{}}
	ch.follow(e, r.module, module, 0)
	return ch.out
}

type chaser struct {
	config *config
	seen   map[string]bool
	out    []string
}

// follow adds the references of an expression in a module, which is given as
// it is written and by the address of the instance.
func (ch *chaser) follow(e *node.Node, m *configModule, address string, depth int) {
	refs := items(e.Get("references"))
	for _, n := range refs {
		ref := n.Text
		longer := slices.ContainsFunc(refs, func(o *node.Node) bool {
			rest, ok := strings.CutPrefix(o.Text, ref)
			return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
		})
		id := address + " " + ref
		if longer || ch.seen[id] {
			continue
		}
		ch.seen[id] = true
		if depth < maxChase && ch.chase(ref, m, address, depth) {
			continue
		}
		ch.out = append(ch.out, ch.full(ref, address, depth))
	}
}

// full is a reference with the address of its module. A key of count or
// for_each is the resource's own only where the resource is written.
func (ch *chaser) full(ref, address string, depth int) string {
	switch {
	case (ref == "each.key" || ref == "count.index") && depth == 0, address == "":
		return ref
	}
	return address + "." + ref
}

// chase follows a variable to the call of the module, and an output into it.
func (ch *chaser) chase(ref string, m *configModule, address string, depth int) bool {
	if name, ok := strings.CutPrefix(ref, "var."); ok && m.call != nil {
		name, _, _ = strings.Cut(name, ".")
		e := m.call.Get("expressions").Get(name)
		if len(items(e.Get("references"))) == 0 {
			return false
		}
		ch.follow(e, m.parent, parentOf(address), depth+1)
		return true
	}
	rest, ok := strings.CutPrefix(ref, "module.")
	if !ok {
		return false
	}
	i := strings.LastIndexByte(rest, '.')
	if i < 0 {
		return false
	}
	call, output := rest[:i], rest[i+1:]
	child := ch.config.modules[m.path+"module."+withoutKeys(call)+"."]
	if child == nil {
		return false
	}
	e := child.body.Get("outputs").Get(output).Get("expression")
	if len(items(e.Get("references"))) == 0 {
		return false
	}
	inner := "module." + call
	if address != "" {
		inner = address + "." + inner
	}
	ch.follow(e, child, inner, depth+1)
	return true
}

// withoutKeys strips instance keys from an address, quoted ones with whatever
// they hold.
func withoutKeys(address string) string {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(address); i++ {
		switch c := address[i]; {
		case quoted && c == '\\':
			i++
		case depth > 0 && c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// parentOf is the address of the module that calls a module.
func parentOf(address string) string {
	depth, quoted, last := 0, false, -1
	for i := 0; i < len(address); i++ {
		switch c := address[i]; {
		case quoted && c == '\\':
			i++
		case depth > 0 && c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0 && strings.HasPrefix(address[i:], ".module."):
			last = i
		}
	}
	if last < 0 {
		return ""
	}
	return address[:last]
}
