package main

import (
	"strings"

	"github.com/spf13/cobra"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/reports"
)

func (a *app) estimate() *cobra.Command {
	c := &cobra.Command{
		Use:   "estimate [PATH...]",
		Short: "Monthly bill of described tables from their declared rates and sizes",
		Example: `  ddbvet estimate design.ddb.toml
  ddbvet estimate design.ddb.toml --region eu-central-1 -o markdown=bill.md`,
		RunE: func(_ *cobra.Command, paths []string) error { return a.runEstimate(paths) },
	}
	a.moneyFlags(c)
	a.readFlags(c)
	return c
}

func (a *app) runEstimate(paths []string) error {
	outs, book, err := a.prepare()
	if err != nil {
		return err
	}
	read, err := a.read(paths)
	if err != nil {
		return err
	}
	var bills []reports.TableBill
	var homeless []string
	for _, t := range read.Tables {
		region := a.regionOf(t)
		if region == "" {
			homeless = append(homeless, t.DisplayName())
			continue
		}
		if source.Is(t.Condition, false) {
			bills = append(bills, reports.TableBill{Table: t.DisplayName(), Bill: cost.Bill{
				Region: region, Unknown: []string{"the table is not created: its condition is false with these parameters"},
			}})
			continue
		}
		bill, err := cost.BillOf(t, plan.Table(t), book, region)
		if err != nil {
			return usage("%s: %v", t.DisplayName(), err)
		}
		bills = append(bills, reports.TableBill{Table: t.DisplayName(), Bill: bill})
	}
	if err := a.emit(outs, reports.Estimate(bills, book.Date, read.Errors)); err != nil {
		return err
	}
	if len(homeless) > 0 {
		return usage("no Region is stated for %s: give --region, region in the design file, or AWS_REGION", strings.Join(homeless, ", "))
	}
	return unread(read.Errors)
}
