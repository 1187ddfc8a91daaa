package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// read loads the described tables of the paths; "-" is standard input.
func (a *app) read(paths []string) (load.Result, error) {
	o := load.Options{Parameters: map[string]string{}}
	for _, p := range a.parameters {
		k, v, ok := strings.Cut(p, "=")
		if !ok || k == "" {
			return load.Result{}, usage("--parameter %q: expected K=V", p)
		}
		o.Parameters[k] = v
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if len(paths) == 1 && paths[0] == "-" {
		data, err := io.ReadAll(a.in)
		if err != nil {
			return load.Result{}, usage("standard input: %v", err)
		}
		return load.Bytes(a.stdinName, data, o), nil
	}
	if slices.Contains(paths, "-") {
		data, err := io.ReadAll(a.in)
		if err != nil {
			return load.Result{}, usage("standard input: %v", err)
		}
		o.Stdin = source.NewFile(a.stdinName, data)
	}
	return load.Paths(paths, o), nil
}

// prepare checks the outputs, the price book and the Region before any table
// is read, for the commands that price something.
func (a *app) prepare() ([]output, *cost.Book, error) {
	outs, err := a.outputs()
	if err != nil {
		return nil, nil, err
	}
	book, err := a.book()
	if err != nil {
		return nil, nil, err
	}
	return outs, book, a.checkRegion(book)
}

// book is the price book in force.
func (a *app) book() (*cost.Book, error) {
	if a.prices == "" {
		return cost.DefaultBook()
	}
	data, err := os.ReadFile(a.prices)
	if err != nil {
		return nil, usage("--prices: %v", err)
	}
	b, err := cost.ReadBook(bytes.NewReader(data))
	if err != nil {
		return nil, usage("--prices %s: %v", a.prices, err)
	}
	return b, nil
}

// regionOf is the Region whose prices count for a table: --region, the
// table's own, the environment's, the AWS profile's; "" when none is stated.
func (a *app) regionOf(t *table.Table) string {
	if a.region != "" {
		return a.region
	}
	if t != nil {
		if r, ok := t.Region.Get(); ok && r != "" {
			return r
		}
	}
	if r := a.getenv("AWS_REGION"); r != "" {
		return r
	}
	if r := a.getenv("AWS_DEFAULT_REGION"); r != "" {
		return r
	}
	return profileRegion(a.getenv)
}

// checkRegion refuses a Region that the price book does not hold.
func (a *app) checkRegion(b *cost.Book) error {
	if a.region != "" && !b.HasRegion(a.region) {
		return usage("--region %q: the price book has no such Region, expected one of %s", a.region, strings.Join(b.Regions(), ", "))
	}
	return nil
}

// made parts the tables from the names of those that are certainly not created.
func made(tables []*table.Table) (out []*table.Table, unmade []string) {
	for _, t := range tables {
		if t.Unmade() {
			unmade = append(unmade, t.DisplayName())
		} else {
			out = append(out, t)
		}
	}
	return out, unmade
}

// unread is the exit of a run in which something could not be read; nil when
// everything was.
func unread(errs []*source.Diagnostic) error {
	if len(errs) == 0 {
		return nil
	}
	return exit{exitUsage, ""}
}
