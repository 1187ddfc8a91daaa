package main

import (
	"slices"

	"github.com/spf13/cobra"

	"ddbvet/internal/table"
	"ddbvet/reports"
	"ddbvet/rules"
)

func (a *app) lint() *cobra.Command {
	c := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Review described tables: files or folders, formats are detected",
		Long: `Review described tables: files or folders, the current folder where none is given.

Read are design files (*.ddb.toml), CloudFormation and SAM templates (YAML or JSON), serverless.yml,
Terraform plans and states (terraform show -json), NoSQL Workbench models and the JSON of
describe-table or create-table; formats are detected.

Exit codes: 0 nothing at or above --fail-on, 1 findings at or above it, 2 usage or unreadable input.`,
		Example: `  ddbvet lint infra/template.yaml
  ddbvet lint design.ddb.toml --format markdown --fail-on warning
  aws dynamodb describe-table --table-name orders | ddbvet lint -`,
		RunE: func(_ *cobra.Command, paths []string) error { return a.runLint(paths) },
	}
	c.Flags().StringVar(&a.failOn, "fail-on", "error", "lowest `SEVERITY` that ends with exit 1: error, warning, note or never")
	_ = c.RegisterFlagCompletionFunc("fail-on", oneOf("error", "warning", "note", "never"))
	a.moneyFlags(c)
	a.readFlags(c)
	return c
}

var severities = map[string]rules.Severity{
	"error": rules.Error, "warning": rules.Warning, "note": rules.Note, "never": rules.Error + 1,
}

func (a *app) runLint(paths []string) error {
	floor, ok := severities[a.failOn]
	if !ok {
		return usage("--fail-on %q: expected error, warning, note or never", a.failOn)
	}
	outs, book, err := a.prepare()
	if err != nil {
		return err
	}
	read, err := a.read(paths)
	if err != nil {
		return err
	}
	review := reports.Review{Tables: read.Tables, Errors: read.Errors, PricesDate: book.Date}
	if slices.Contains(paths, "-") {
		review.StdinName = a.stdinName
	}
	review.Tables, review.Unmade = made(read.Tables)
	review.Result = rules.Run(review.Tables, rules.All, rules.Options{Book: book, Region: a.regionOf})
	for _, t := range review.Tables {
		review.Checklist = append(review.Checklist, rules.Checklist(t, review.Result)...)
		if a.regionOf(t) == "" {
			review.NoRegion = append(review.NoRegion, t.DisplayName())
		}
	}
	if err := a.emit(outs, reports.Lint(review)); err != nil {
		return err
	}
	if err := unread(read.Errors); err != nil {
		return err
	}
	if slices.ContainsFunc(review.Result.Findings, func(f rules.Finding) bool { return f.Severity >= floor }) {
		return exit{exitFindings, ""}
	}
	return nil
}

func (a *app) inspect() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect [PATH...]",
		Short: "Print the normalized tables that were read, and what could not be known",
		Example: `  ddbvet inspect infra/
  ddbvet inspect infra/template.yaml --parameter Stage=prod --format json`,
		RunE: func(_ *cobra.Command, paths []string) error {
			outs, err := a.outputs()
			if err != nil {
				return err
			}
			read, err := a.read(paths)
			if err != nil {
				return err
			}
			if err := a.emit(outs, reports.Inspect(read.Tables, read.Errors)); err != nil {
				return err
			}
			return unread(read.Errors)
		},
	}
	a.readFlags(c)
	return c
}

// tableNamed finds a table by name, logical name or nothing where there is one.
func tableNamed(tables []*table.Table, name string) *table.Table {
	for _, t := range tables {
		if t.DisplayName() == name || t.LogicalName == name {
			return t
		}
	}
	return nil
}
