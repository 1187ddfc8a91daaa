package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
	"ddbvet/reports"
)

// exitIncomplete is for a run that lost some evidence and reports the rest.
const exitIncomplete = 3

// capacityFlags are the flags of the capacity command alone.
type capacityFlags struct {
	metrics      []string
	describe     []string
	definition   []string
	minSaving    float64
	minSavingPct float64
	maxTarget    int
}

func (a *app) capacity() *cobra.Command {
	f := &capacityFlags{}
	limits := cost.DefaultLimits()
	c := &cobra.Command{
		Use:   "capacity --metrics FILE",
		Short: "Decide the capacity mode of tables from their CloudWatch metrics",
		Long: `Decide the capacity mode of tables from their CloudWatch metrics.

Metrics are CSV, gzip accepted, with the header
timestamp,table,index,metric,statistic,period,value. The tables' settings come from
--describe or --definition; without them the current mode is unknown and no switch is claimed.
A definition is of the table whose name the metrics have; #NAME picks one of several.

Exit codes: 0 whatever is decided, 2 usage or unreadable input, 3 rows of the metrics made no sense
and the decision rests on the others.`,
		Example: `  ddbvet capacity --metrics orders.csv.gz --describe orders.json
  ddbvet capacity --metrics orders.csv.gz --definition infra/template.yaml#Orders --region eu-west-1`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.runCapacity(f) },
	}
	c.Flags().StringArrayVar(&f.metrics, "metrics", nil, "metrics `FILE`; repeatable")
	c.Flags().StringArrayVar(&f.describe, "describe", nil, "describe-table JSON `FILE` with the current settings; repeatable")
	c.Flags().StringArrayVar(&f.definition, "definition", nil, "`FILE[#NAME]` with the current settings, any format that lint reads; repeatable")
	c.Flags().Float64Var(&f.minSaving, "min-saving", limits.MinSaving, "`DOLLARS` a month that a saving must exceed to speak up")
	c.Flags().Float64Var(&f.minSavingPct, "min-saving-percent", limits.MinSavingShare*100, "`PERCENT` of today's cost that a saving must exceed as well")
	c.Flags().IntVar(&f.maxTarget, "max-target", limits.MaxTarget, "highest target utilisation in `PERCENT` that may be recommended: 20 to 90")
	a.moneyFlags(c)
	c.Flags().StringArrayVar(&a.parameters, "parameter", nil, "CloudFormation parameter `K=V`; repeatable")
	return c
}

func (a *app) runCapacity(f *capacityFlags) error {
	if len(f.metrics) == 0 {
		return usage("capacity needs --metrics FILE; this version does not collect metrics itself")
	}
	for _, floor := range []float64{f.minSaving, f.minSavingPct} {
		if !(floor >= 0) || math.IsInf(floor, 0) { // NaN is neither
			return usage("--min-saving and --min-saving-percent must be numbers that are not negative")
		}
	}
	if f.maxTarget < 20 || f.maxTarget > 90 {
		return usage("--max-target %d: expected 20 to 90, as Application Auto Scaling takes", f.maxTarget)
	}
	outs, book, err := a.prepare()
	if err != nil {
		return err
	}
	in, err := a.capacityInput(f)
	if err != nil {
		return err
	}
	limits := cost.DefaultLimits()
	limits.MinSaving, limits.MinSavingShare, limits.MaxTarget = f.minSaving, f.minSavingPct/100, f.maxTarget
	var decisions []cost.Decision
	var homeless []string
	for _, t := range in.tables {
		region := a.regionOf(t)
		if region == "" || !book.HasRegion(region) {
			name := t.DisplayName()
			if region != "" {
				name += fmt.Sprintf(" (%q)", region)
			}
			homeless = append(homeless, name)
			continue
		}
		decisions = append(decisions, cost.Decide(cost.DecideInput{Table: t, Metrics: t.Metrics, Book: book, Region: region, Limits: limits}))
	}
	if err := a.emit(outs, reports.Capacity(decisions, book.Date, in.errs)); err != nil {
		return err
	}
	switch {
	case len(homeless) > 0:
		return usage("no Region of the price book is stated for %s: give --region, settings that name it, or AWS_REGION", strings.Join(homeless, ", "))
	case in.unread:
		return exit{exitUsage, ""}
	case in.lost:
		return exit{exitIncomplete, ""}
	}
	return nil
}

// capacityInput is the tables with their metrics, and what went wrong.
type capacityInput struct {
	tables []*table.Table
	errs   []*source.Diagnostic
	unread bool // a file could not be read
	lost   bool // rows were dropped for making no sense
}

func (a *app) capacityInput(f *capacityFlags) (in capacityInput, err error) {
	settings, errs, err := a.currentSettings(f)
	if err != nil {
		return in, err
	}
	in.errs, in.unread = errs, len(errs) > 0
	seen := map[string]bool{}
	for _, name := range f.metrics {
		var data []byte
		if name == "-" {
			name = a.stdinName
			data, err = io.ReadAll(a.in)
		} else {
			data, err = os.ReadFile(name)
		}
		if err != nil {
			return in, usage("--metrics: %v", err)
		}
		metrics, names, errs := load.Metrics(source.NewFile(name, data))
		in.errs, in.unread = append(in.errs, errs...), in.unread || len(errs) > 0
		for _, n := range names {
			if seen[n] {
				return in, usage("--metrics %s: table %q is in an earlier metrics file as well", name, n)
			}
			seen[n] = true
			in.add(tableWith(settings, n, len(names) == 1), metrics[n], source.Span{File: source.NewFile(name, nil)})
		}
	}
	for _, t := range settings {
		if t.Metrics == nil { // described and not measured: said, not left out
			in.add(t, &table.Metrics{}, source.Span{})
		}
	}
	return in, nil
}

// add attaches metrics to a table and reports the rows that were dropped.
func (in *capacityInput) add(t *table.Table, m *table.Metrics, at source.Span) {
	t.Metrics = m
	in.tables = append(in.tables, t)
	for _, d := range m.Dropped {
		in.errs = append(in.errs, source.Errorf(at, "table %q: rows not used: %d, first at %s: %s", t.DisplayName(), d.Rows, d.First, d.Reason))
		in.lost = in.lost || d.Reason != load.DuplicateRow
	}
}

// currentSettings reads the described tables that --describe and --definition name.
func (a *app) currentSettings(f *capacityFlags) (tables []*table.Table, errs []*source.Diagnostic, err error) {
	if len(f.describe) > 0 {
		read, err := a.read(f.describe)
		if err != nil {
			return nil, nil, err
		}
		tables, errs = read.Tables, read.Errors
	}
	for _, d := range f.definition {
		file, name, named := strings.Cut(d, "#")
		read, err := a.read([]string{file})
		if err != nil {
			return nil, nil, err
		}
		errs = append(errs, read.Errors...)
		if !named {
			tables = append(tables, read.Tables...)
			continue
		}
		t := tableNamed(read.Tables, name)
		if t == nil {
			return nil, nil, usage("--definition %q: %s has no table %q", d, file, name)
		}
		tables = append(tables, t)
	}
	return tables, errs, nil
}

// tableWith is the described table of that name; where only one table is
// measured and only one described, whose name the stack generates, that one.
// Otherwise a table of which only the name is known.
func tableWith(settings []*table.Table, name string, only bool) *table.Table {
	if t := tableNamed(settings, name); t != nil {
		return t
	}
	if only && len(settings) == 1 && !settings[0].Name.Known() {
		return settings[0]
	}
	unknown := "no --describe or --definition gives it"
	if len(settings) > 0 {
		unknown = "--describe and --definition give " + nameList(settings) + ", not this table"
	}
	return &table.Table{
		LogicalName: name, Name: source.Written(name, source.Span{}),
		Billing: source.Unresolved[string](unknown, source.Span{}), Class: source.Unresolved[string](unknown, source.Span{}),
		Capacity: table.Throughput{
			Read: source.Unresolved[int64](unknown, source.Span{}), Write: source.Unresolved[int64](unknown, source.Span{}),
		},
		GSIs: source.List[*table.Index]{Incomplete: unknown}, LSIs: source.List[*table.Index]{Incomplete: unknown},
	}
}

func nameList(tables []*table.Table) string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = fmt.Sprintf("%q", t.DisplayName())
	}
	return strings.Join(names, ", ")
}
