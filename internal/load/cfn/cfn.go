// Package cfn reads the DynamoDB tables of a CloudFormation template, be it
// written by hand, for SAM or by the CDK. It evaluates the template's own
// functions as far as they can be known without deploying; it does not run
// macros, read other stacks or look at files beside the template.
package cfn

import (
	"maps"
	"slices"
	"strings"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// UnknownTag marks a node that a caller could not resolve before the template
// is read (a Serverless variable); its Text says why.
const UnknownTag = "!ddbvet/unknown"

// Options are settings of a load.
type Options struct {
	// Parameters override the template's parameters; a pseudo parameter such
	// as "AWS::Region" may be given too.
	Parameters map[string]string
}

// The resource types that are read.
const (
	typeTable       = "AWS::DynamoDB::Table"
	typeGlobalTable = "AWS::DynamoDB::GlobalTable"
	typeSimpleTable = "AWS::Serverless::SimpleTable"
	typeReplica     = "Custom::DynamoDBReplica"
	typeTarget      = "AWS::ApplicationAutoScaling::ScalableTarget"
	typePolicy      = "AWS::ApplicationAutoScaling::ScalingPolicy"
)

// Is tells whether a document is a CloudFormation template.
func Is(doc *node.Node) bool {
	if doc == nil || doc.Kind != node.Map {
		return false
	}
	if doc.Get("AWSTemplateFormatVersion") != nil {
		return true
	}
	res := doc.Get("Resources")
	if res == nil || res.Kind != node.Map {
		return false
	}
	if doc.Get("Transform") != nil {
		return true
	}
	for _, p := range res.Pairs {
		if typ := p.Value.Get("Type"); typ != nil && strings.Contains(typ.Text, "::") {
			return true
		}
	}
	return false
}

// template is a template with what is looked up while it is evaluated.
type template struct {
	doc        *node.Node
	written    *node.Node // doc before its loops were expanded
	params     map[string]parameter
	pseudo     map[string]string // given pseudo parameters
	conditions map[string]node.Pair
	resources  []*resource
	byID       map[string]*resource
	open       string // why resources may exist that are not seen
	misspelt   map[*node.Node]map[string]string
	errs       []*source.Diagnostic
	seen       map[string]bool // messages already in errs
	steps      int             // evaluation steps taken
}

// resource is one entry of Resources.
type resource struct {
	id        string
	at        source.Span // of the logical id
	body      *node.Node
	typ       string
	condition string // name; "" when it has none
}

// Load reads every table that a template describes. Each fault is one
// diagnostic; what it does not touch is read all the same.
func Load(doc *node.Node, o Options) (tables []*table.Table, errs []*source.Diagnostic) {
	tables, t := load(doc, o)
	if len(tables) > 0 {
		t.addArms(o, tables)
	}
	return tables, t.errs
}

// load reads a template with one value for each parameter.
func load(doc *node.Node, o Options) (tables []*table.Table, t *template) {
	t = &template{
		doc: doc, written: doc, seen: map[string]bool{}, byID: map[string]*resource{},
		misspelt: map[*node.Node]map[string]string{},
	}
	if doc == nil || doc.Kind != node.Map {
		t.errs = append(t.errs, wrongKind(doc, "a template: a map with Resources"))
		return nil, t
	}
	t.readParameters(o)
	t.indexConditions()
	base := newEval(t)
	t.doc = base.expandLoops(doc)
	t.indexConditions()
	t.evaluateConditions(base)
	t.readResources()
	byTable := map[*table.Table]*resource{}
	for _, r := range t.resources {
		if tb := t.readTable(base, r); tb != nil {
			tables = append(tables, tb)
			byTable[tb] = r
		}
	}
	t.addReplicas(base, tables, byTable)
	t.addScaling(base, tables, byTable)
	source.SortByPlace(t.errs)
	return tables, t
}

// readTable reads a resource if it is a table.
func (t *template) readTable(base *eval, r *resource) *table.Table {
	e := base.under(r.condition)
	switch r.typ {
	case typeTable:
		return e.plainTable(r)
	case typeGlobalTable:
		return e.globalTable(r)
	case typeSimpleTable:
		return e.simpleTable(r)
	}
	if strings.HasPrefix(r.typ, "AWS::DynamoDB::") {
		t.faultf(r.body.Get("Type").At, "unknown resource type %q%s", r.typ,
			didYouMean(r.typ, []string{typeTable, typeGlobalTable}))
	}
	return nil
}

// readResources lists the resources; an entry that is none is a fault.
func (t *template) readResources() {
	res := t.doc.Get("Resources")
	if res == nil {
		return
	}
	if res.Kind != node.Map {
		if res.Kind != node.Null {
			t.errs = append(t.errs, wrongKind(res, "a map of resources"))
		}
		return
	}
	for _, p := range res.Pairs {
		id := p.Key.Text
		switch {
		case id == "Fn::Transform":
			t.open = "Fn::Transform may add resources"
			continue
		case strings.HasPrefix(id, loopPrefix):
			t.open = "the resources of " + id + " are not known"
			continue
		case p.Value.Kind != node.Map:
			if serverlessVariable.MatchString(p.Value.Text) {
				t.open = "resource " + id + " is " + p.Value.Text
			}
			t.fault(wrongKind(p.Value, "a resource: a map with Type"))
			continue
		}
		typ := p.Value.Get("Type")
		if typ == nil || typ.Text == "" {
			t.faultf(p.Key.At, "resource %q has no Type", id)
			continue
		}
		r := &resource{id: id, at: p.Key.At, body: p.Value, typ: typ.Text}
		if c := p.Value.Get("Condition"); c != nil && c.Kind == node.String && c.Tag == "" {
			r.condition = c.Text
			t.checkCondition(c)
		}
		t.resources = append(t.resources, r)
		t.byID[id] = r
	}
}

// faultf records a diagnostic; the same one at the same place only once, as
// an expression may be evaluated several times.
func (t *template) faultf(at source.Span, format string, args ...any) {
	t.fault(source.Errorf(at, format, args...))
}

func (t *template) fault(d *source.Diagnostic) {
	if key := d.Error(); !t.seen[key] {
		t.seen[key] = true
		t.errs = append(t.errs, d)
	}
}

// wrongKind says that something else stands where want was expected.
func wrongKind(n *node.Node, want string) *source.Diagnostic {
	if n == nil {
		return source.Errorf(source.Span{}, "found nothing, expected %s", want)
	}
	what := "a " + n.Kind.String()
	switch n.Kind {
	case node.Null:
		what = "nothing"
	case node.String:
		what = "text " + quote(n.Text)
	case node.Number, node.Bool:
		what += " (" + n.Text + ")"
	}
	return source.Errorf(n.At, "found %s, expected %s", what, want)
}

// sortedNames returns a map's keys in order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
