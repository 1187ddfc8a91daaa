// Package serverless reads the DynamoDB tables of a Serverless Framework
// service: it resolves the variables of the configuration as far as they can be
// known without deploying and hands the template under "resources" to package
// cfn. It runs no program and no plugin, asks no service, and does not read the
// environment of the machine: the same files give the same tables everywhere.
package serverless

import (
	"maps"
	"slices"

	"ddbvet/internal/load/cfn"
	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// Options are settings of a load.
type Options struct {
	// Parameters give values that are known only when deploying: parameters of
	// the template by name and variables by their address, such as "opt:stage",
	// "env:TABLE" or "param:owner".
	Parameters map[string]string
	// Read reads an included file. An error that is fs.ErrNotExist says that
	// there is none, and the variable's next source is taken.
	Read func(path string) (*source.File, error)
}

// Result is what was read of a service.
type Result struct {
	Tables []*table.Table
	Errors []*source.Diagnostic
	// Parameters are the names that Options.Parameters may give.
	Parameters []string
	// Files are the included files that hold resources of the service, whole or
	// in part.
	Files []*source.File
	// Included are the resources that stand in those files as resources of a
	// template: read on their own, they would be there twice.
	Included []Included
}

// Included is a resource of an included template.
type Included struct {
	LogicalName string      // in the service
	At          source.Span // of its name in the included file
}

// Is tells whether a document is the configuration of a service.
func Is(doc *node.Node) bool {
	return doc.Get("service") != nil && doc.Get("provider") != nil
}

// Load reads every table among the resources of a service.
func Load(doc *node.Node, o Options) Result {
	r := newResolver(doc, o)
	template := r.template()
	if template == nil {
		return Result{Errors: r.errs, Parameters: r.addresses()}
	}
	tables, errs := cfn.Load(template, cfn.Options{Parameters: r.templateParameters()})
	r.doubtPlugins(tables)
	return Result{
		Tables: tables, Errors: append(r.errs, errs...),
		Files: r.resourceFiles(), Included: r.included(template),
		Parameters: append(r.addresses(), cfn.Parameters(template)...),
	}
}

// templateParameters are the given parameters with what the service states of
// its stack: its Region and its name.
func (r *resolver) templateParameters() map[string]string {
	params := map[string]string{}
	maps.Copy(params, r.given)
	state := func(name string, a answer) {
		if _, given := params[name]; !given && a.node != nil && a.node.Tag == "" && a.node.Kind == node.String {
			params[name] = a.node.Text
		}
	}
	state("AWS::Region", r.region(r.root.At))
	if name := r.walk(r.root, []string{"provider", "stackName"}, ""); name.missing == "" {
		state("AWS::StackName", name)
		return params
	}
	service := r.self([]string{"service"}, r.root.At)
	stage := r.stage(r.root.At)
	if plainText(service.node) && plainText(stage.node) {
		state("AWS::StackName", answer{node: textNode(service.node.Text+"-"+stage.node.Text, r.root.At)})
	}
	return params
}

// resourceFiles lists the files, other than the service's own, in which
// something of a resource stands.
func (r *resolver) resourceFiles() (files []*source.File) {
	seen := map[*source.File]bool{r.root.At.File: true}
	for _, part := range r.parts {
		resources := part.Get("Resources")
		if resources == nil {
			continue
		}
		for _, p := range resources.Pairs {
			for _, at := range []source.Span{p.Key.At, p.Value.At} {
				if at.File != nil && !seen[at.File] {
					seen[at.File] = true
					files = append(files, at.File)
				}
			}
		}
	}
	return files
}

// included finds the template's resources in the included files that are
// templates themselves.
func (r *resolver) included(template *node.Node) (out []Included) {
	resources := template.Get("Resources")
	if resources == nil {
		return nil
	}
	names := make(map[source.Span]string, len(resources.Pairs))
	for _, p := range resources.Pairs {
		names[p.Value.At] = p.Key.Text
	}
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		section := r.files[name].node.Get("Resources")
		if section == nil {
			continue
		}
		for _, p := range section.Pairs {
			if id, ok := names[p.Value.At]; ok {
				out = append(out, Included{LogicalName: id, At: p.Key.At})
			}
		}
	}
	return out
}

func plainText(n *node.Node) bool { return n != nil && n.Kind == node.String && n.Tag == "" }

func textNode(text string, at source.Span) *node.Node {
	return &node.Node{Kind: node.String, Text: text, At: at}
}
