package serverless

import (
	"fmt"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// variable tries the sources of a variable in order.
func (r *resolver) variable(sources []alternative, at source.Span) (last answer) {
	for i, s := range sources {
		switch {
		case s.literal != nil:
			n := *s.literal
			n.At = at
			last = answer{node: &n}
		case s.nested != nil:
			last = r.variable(s.nested, at)
		default:
			last = r.source(s, at)
		}
		final := i == len(sources)-1
		if last.missing == "" && (final || last.node == nil || last.node.Kind != node.Null) {
			return last
		}
	}
	return last
}

// source asks one typed source.
func (r *resolver) source(s alternative, at source.Span) answer {
	address, why := r.join(s.address, at)
	if why != "" {
		return answer{unknown: why}
	}
	var params []string
	for _, p := range s.params {
		text, why := r.join(p, at)
		if why != "" {
			return answer{unknown: why}
		}
		params = append(params, text)
	}
	switch s.kind {
	case "self":
		return r.self(splitAddress(address), at)
	case "file":
		return r.file(params, address)
	case "strToBool":
		return toBool(params, at)
	case "sls":
		if address == "stage" {
			return r.stage(at)
		}
	case "aws":
		if address == "region" {
			return r.region(at)
		}
	}
	key := s.kind + ":" + address
	if a := r.givenAt(key, at); a.node != nil {
		return a
	}
	switch s.kind {
	case "opt", "env":
		return answer{missing: key + " is given only when deploying"}
	case "param":
		return r.param(address, at)
	}
	return answer{unknown: key + " is known only when deploying"}
}

// givenAt is a value from the parameters of the load.
func (r *resolver) givenAt(key string, at source.Span) answer {
	r.asked[key] = true
	if text, ok := r.given[key]; ok {
		return answer{node: textNode(text, at)}
	}
	return answer{missing: key + " is given only when deploying"}
}

func splitAddress(address string) []string {
	if address == "" {
		return nil
	}
	return strings.Split(address, ".")
}

// self is a value of the configuration. A service written as a map stands for
// its name, and the stage is dev where none is stated.
func (r *resolver) self(keys []string, at source.Span) answer {
	a := r.walk(r.root, keys, "self:"+strings.Join(keys, "."))
	switch {
	case len(keys) == 1 && keys[0] == "service" && a.node.Get("name") != nil:
		return r.walk(a.node, []string{"name"}, "self:service.name")
	case a.missing != "" && len(keys) == 2 && keys[0] == "provider" && keys[1] == "stage":
		return answer{node: textNode("dev", at)}
	}
	return a
}

// walk follows keys into a node, evaluating variables on the way. A null is
// the same as nothing.
func (r *resolver) walk(n *node.Node, keys []string, name string) answer {
	n = r.shallow(n)
	for _, k := range keys {
		if isUnknown(n) {
			return answer{node: n}
		}
		if n = child(n, k); n == nil {
			return answer{missing: name + " is not found"}
		}
		n = r.shallow(n)
	}
	if n.Kind == node.Null && n.Tag == "" {
		return answer{missing: name + " is empty"}
	}
	return answer{node: n}
}

// child is the entry of a map, or of a list by its number from 0.
func child(n *node.Node, key string) *node.Node {
	if n.Kind != node.Seq {
		return n.Get(key)
	}
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

// stage is the stage of the deployment: the option, the provider's or dev.
func (r *resolver) stage(at source.Span) answer {
	if a := r.givenAt("opt:stage", at); a.node != nil {
		return a
	}
	return r.self([]string{"provider", "stage"}, at)
}

// region is the Region of the deployment where the service states one.
func (r *resolver) region(at source.Span) answer {
	if a := r.givenAt("opt:region", at); a.node != nil {
		return a
	}
	a := r.walk(r.root, []string{"provider", "region"}, "")
	if a.missing != "" {
		return answer{unknown: "the service states no Region"}
	}
	return a
}

// param is a parameter of the stage or, where it has none, of every stage.
func (r *resolver) param(name string, at source.Span) answer {
	stage := r.stage(at)
	if !plainText(stage.node) {
		return answer{unknown: "the stage is not known"}
	}
	for _, s := range []string{stage.node.Text, "default"} {
		a := r.walk(r.root, []string{"params", s, name}, "")
		if a.missing == "" {
			return a
		}
	}
	return answer{missing: "param:" + name + " is given only when deploying"}
}

func toBool(params []string, at source.Span) answer {
	if len(params) == 1 {
		switch strings.ToLower(strings.TrimSpace(params[0])) {
		case "true", "1":
			return answer{node: &node.Node{Kind: node.Bool, Text: "true", At: at}}
		case "false", "0":
			return answer{node: &node.Node{Kind: node.Bool, Text: "false", At: at}}
		}
	}
	return answer{unknown: fmt.Sprintf("strToBool of %q, expected true, false, 1 or 0", params)}
}
