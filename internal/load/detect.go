package load

import (
	"bytes"
	"fmt"
	"strings"

	"ddbvet/internal/load/cfn"
	"ddbvet/internal/load/node"
	"ddbvet/internal/load/serverless"
	"ddbvet/internal/load/terraform"
	"ddbvet/internal/source"
)

// MaxFileSize is the largest file that is read, in bytes.
const MaxFileSize = 64 << 20

// formats names what is read, for messages.
const formats = "a ddbvet design file (TOML), a CloudFormation or SAM template (YAML or JSON), a serverless.yml, a Terraform plan or state (terraform show -json), a NoSQL Workbench model, or the JSON of describe-table or create-table"

// input is one file to be read.
type input struct {
	file *source.File
	// named: the file was asked for by name. What is found in a folder is
	// passed over unless it is recognisably a description of tables.
	named bool
}

func (in input) start() source.Span {
	return source.Span{File: in.file, Start: source.Pos{Line: 1, Col: 1}}
}

// fail is the one error of a file that is not read.
func (in input) fail(format string, args ...any) Result {
	return Result{Errors: []*source.Diagnostic{source.Errorf(in.start(), format, args...)}}
}

// foreign is the result for a file that is understood to be something else.
func (in input) foreign(format string, args ...any) Result {
	if !in.named {
		return Result{}
	}
	return in.fail(format, args...)
}

// later reports a format that a later version reads. It is silent only about
// files of a folder that name no table: silence about tables would pass them.
func (in input) later(format string) Result {
	if !in.named && !hasTableMark(in.file.Data) {
		return Result{}
	}
	return in.fail("recognised as %s, which this version does not read yet", format)
}

// read loads one file by its content.
func (in input) read(o Options) Result {
	data := in.file.Data
	switch sniff(in.file.Name, data) {
	case emptyForm:
		return in.foreign("empty file, expected %s", formats)
	case binaryForm:
		return in.foreign("the file is binary, expected %s", formats)
	case utf16Form:
		if text := plain(data); in.named || hasTableMark(text) || isDesign(in.file.Name, text) {
			return in.fail("the file is %s, expected UTF-8", node.UTF16(data))
		}
		return Result{}
	case designForm:
		if in.named && len(bytes.TrimSpace(data)) == 0 {
			return in.fail("empty file, expected %s", formats)
		}
		if in.named || isDesign(in.file.Name, data) {
			return in.design()
		}
		return Result{}
	case configForm:
		return in.foreign("recognised as a ddbvet configuration, which holds no tables, expected %s", formats)
	case terraformForm:
		return in.later("Terraform")
	case metricsForm:
		return in.foreign("recognised as a metrics file, which holds no tables, expected %s", formats)
	case jsonForm:
		return in.json(o)
	case yamlForm:
		return in.yaml(o)
	}
	return in.foreign("the format is not known, expected %s", formats)
}

// design reads a TOML file. One that was named but has nothing of a design
// file gets one error and not one for each of its keys.
func (in input) design() Result {
	data := in.file.Data
	if !isDesign(in.file.Name, data) && !designTable.Match(data) && !designSchema.Match(data) {
		return in.fail("the TOML file has neither schema = 1 nor [[table]], expected %s", formats)
	}
	return Design(in.file)
}

func (in input) json(o Options) Result {
	if !in.named && !mayDescribe(in.file) {
		return Result{}
	}
	doc, d := node.ParseJSON(in.file)
	if d != nil {
		return Result{Errors: []*source.Diagnostic{d}}
	}
	r, _ := in.document(doc, o)
	return r
}

// yaml reads every document of a file; those of another kind are passed over
// where one of them describes tables.
func (in input) yaml(o Options) Result {
	if !in.named && !mayDescribe(in.file) {
		return Result{}
	}
	docs, d := node.ParseYAML(in.file)
	if d != nil {
		return Result{Errors: []*source.Diagnostic{d}}
	}
	var all, other Result
	found := false
	for _, doc := range docs {
		r, ours := in.document(doc, o)
		if ours {
			all, found = all.with(r), true
		} else if len(other.Errors) == 0 {
			other = r
		}
	}
	if found {
		return all
	}
	return other
}

// document loads one JSON or YAML document and tells whether it is a format
// that describes tables.
func (in input) document(doc *node.Node, o Options) (Result, bool) {
	if body, kind := apiTable(doc); kind != "" {
		return readAPITable(body, kind), true
	}
	if serverless.Is(doc) {
		s := serverless.Load(doc, serverless.Options{Parameters: o.Parameters, Read: readInclude})
		return Result{Tables: s.Tables, Errors: s.Errors, parameters: s.Parameters, files: s.Files, included: ownPlaces(s)}, true
	}
	if cfn.Is(doc) {
		tables, errs := cfn.Load(doc, cfn.Options{Parameters: o.Parameters})
		return Result{Tables: tables, Errors: errs, parameters: cfn.Parameters(doc)}, true
	}
	if terraform.IsPlan(doc) {
		tables, errs := terraform.LoadPlan(doc)
		return Result{Tables: tables, Errors: errs}, true
	}
	if isModel(doc) {
		return readModel(doc), true
	}
	if name := laterFormat(doc); name != "" {
		return in.later(name), false
	}
	if !in.named {
		return Result{}, false
	}
	return in.fail("%s, expected %s", outline(doc), formats), false
}

// laterFormat names a format that is recognised and not read yet, or "".
func laterFormat(doc *node.Node) string {
	has := func(keys ...string) bool {
		for _, k := range keys {
			if doc.Get(k) == nil {
				return false
			}
		}
		return true
	}
	switch {
	case has("resource"), has("terraform"):
		return "Terraform"
	case has("Items", "Count"), has("Items", "ScannedCount"):
		return "the items of a Scan or Query"
	}
	return ""
}

// outline says what a document is, by its first keys.
func outline(doc *node.Node) string {
	switch {
	case doc.Kind != node.Map:
		return "the document is " + describeNode(doc)
	case len(doc.Pairs) == 0:
		return "the document is empty"
	}
	var keys []string
	for _, p := range doc.Pairs[:min(3, len(doc.Pairs))] {
		keys = append(keys, describeNode(p.Key))
	}
	return fmt.Sprintf("the format is not known (its first keys are %s)", strings.Join(keys, ", "))
}

// with joins two results in order.
func (r Result) with(s Result) Result {
	r.Tables = append(r.Tables, s.Tables...)
	r.Patterns = append(r.Patterns, s.Patterns...)
	r.Errors = append(r.Errors, s.Errors...)
	r.parameters = append(r.parameters, s.parameters...)
	r.files = append(r.files, s.files...)
	r.included = append(r.included, s.included...)
	return r
}
