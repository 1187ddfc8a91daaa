package cfn

import (
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// pseudoNames are the pseudo parameters, known only at deployment.
var pseudoNames = []string{
	"AWS::AccountId", "AWS::NotificationARNs", "AWS::Partition",
	"AWS::Region", "AWS::StackId", "AWS::StackName", "AWS::URLSuffix",
}

const noValue = "AWS::NoValue"

// parameter is a parameter's value, or why it is not known.
type parameter struct {
	value *node.Node
	why   string
}

// readParameters fills the parameters from defaults and overrides.
func (t *template) readParameters(o Options) {
	t.params, t.pseudo = map[string]parameter{}, map[string]string{}
	section := t.section("Parameters")
	for _, p := range section {
		override, given := o.Parameters[p.Key.Text]
		var text *string
		if given {
			text = &override
		}
		t.params[p.Key.Text] = t.parameter(p, text)
	}
	for name, text := range o.Parameters {
		if Pseudo(name) {
			t.pseudo[name] = text
		}
	}
}

// Pseudo tells whether a name is a pseudo parameter that may be given.
func Pseudo(name string) bool { return name != noValue && slices.Contains(pseudoNames, name) }

// PseudoNames lists the pseudo parameters.
func PseudoNames() []string { return slices.Clone(pseudoNames) }

// Parameters lists the parameters that a template declares.
func Parameters(doc *node.Node) (names []string) {
	if section := doc.Get("Parameters"); section != nil {
		for _, p := range section.Pairs {
			names = append(names, p.Key.Text)
		}
	}
	return names
}

// section returns the entries of a top-level map, or none with a fault.
func (t *template) section(name string) []node.Pair {
	n := t.doc.Get(name)
	switch {
	case n == nil || n.Kind == node.Null:
		return nil
	case n.Kind != node.Map:
		t.fault(wrongKind(n, "the map of "+name))
		return nil
	}
	return n.Pairs
}

// parameter evaluates one declaration.
func (t *template) parameter(p node.Pair, override *string) parameter {
	name := p.Key.Text
	if p.Value.Kind != node.Map {
		t.fault(wrongKind(p.Value, "a parameter: a map with Type"))
		return parameter{why: "parameter " + name + " has no type"}
	}
	typ := "String"
	if n := p.Value.Get("Type"); n != nil && n.Text != "" {
		typ = n.Text
	}
	var text string
	def, at := p.Value.Get("Default"), p.Key.At
	switch {
	case override != nil:
		text = *override
		t.checkAllowed(p, text)
	case def == nil || def.Kind == node.Null:
		return parameter{why: "!Ref " + name + " has no default"}
	case def.Kind == node.Map || def.Kind == node.Seq:
		t.fault(wrongKind(def, "the default of parameter "+name+" as text"))
		return parameter{why: "!Ref " + name + " has a default that cannot be read"}
	default:
		text, at = scalarText(def), def.At
	}
	return t.typed(name, typ, text, at)
}

// typed makes the value of a parameter of that type.
func (t *template) typed(name, typ, text string, at source.Span) parameter {
	bad := parameter{why: "!Ref " + name + " is not a number"}
	switch {
	case strings.HasPrefix(typ, "AWS::SSM::Parameter::Value<"):
		// The text is the name of the store's entry, not the value.
		return parameter{why: "!Ref " + name + " is read from SSM parameter " + quote(text)}
	case typ == "Number":
		if !isNumber(text) {
			t.faultf(at, "parameter %q is a Number, found %s", name, quote(text))
			return bad
		}
		return parameter{value: &node.Node{Kind: node.Number, Text: strings.TrimSpace(text), At: at}}
	case typ == "CommaDelimitedList" || strings.HasPrefix(typ, "List<"):
		list := &node.Node{Kind: node.Seq, At: at}
		if text == "" {
			return parameter{value: list}
		}
		for item := range strings.SplitSeq(text, ",") {
			item = strings.TrimSpace(item)
			kind := node.String
			if typ == "List<Number>" {
				kind = node.Number
				if !isNumber(item) {
					t.faultf(at, "parameter %q is a List<Number>, found %s in it", name, quote(item))
					return bad
				}
			}
			list.Items = append(list.Items, &node.Node{Kind: kind, Text: item, At: at})
		}
		return parameter{value: list}
	}
	return parameter{value: &node.Node{Kind: node.String, Text: text, At: at}}
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// checkAllowed holds an override against AllowedValues.
func (t *template) checkAllowed(p node.Pair, text string) {
	allowed := p.Value.Get("AllowedValues")
	if allowed == nil || allowed.Kind != node.Seq {
		return
	}
	var names []string
	for _, a := range allowed.Items {
		if scalarText(a) == text {
			return
		}
		names = append(names, scalarText(a))
	}
	t.faultf(allowed.At, "parameter %q was given as %s, expected one of %s", p.Key.Text, quote(text), strings.Join(names, ", "))
}

// scalarText is a scalar as CloudFormation hands it on: booleans in lower
// case, the rest as written.
func scalarText(n *node.Node) string {
	if n.Kind == node.Bool {
		return strings.ToLower(n.Text)
	}
	return n.Text
}
