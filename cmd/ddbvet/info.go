package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ddbvet/reports"
	"ddbvet/rules"
)

func (a *app) rules() *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "List the rules", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.show(reports.Rules(rules.All)) },
	}
}

func (a *app) explain() *cobra.Command {
	return &cobra.Command{
		Use: "explain RULE", Short: "Explain one rule: reason, threshold, source, a bad and a good example",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: ruleIDs,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, r := range rules.All {
				if r.ID == args[0] {
					return a.show(reports.Explain(r))
				}
			}
			return usage("no rule %q; `ddbvet rules` lists them", args[0])
		},
	}
}

func ruleIDs(_ *cobra.Command, _ []string, prefix string) (ids []string, _ cobra.ShellCompDirective) {
	for _, r := range rules.All {
		if strings.HasPrefix(r.ID, prefix) {
			ids = append(ids, r.ID+"\t"+r.Doc.Summary)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) showPrices() *cobra.Command {
	c := &cobra.Command{
		Use: "prices", Short: "Show the price book in force: date, source, Regions; with --region its prices",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			book, err := a.book()
			if err != nil {
				return err
			}
			if err := a.checkRegion(book); err != nil {
				return err
			}
			return a.show(reports.Prices(book, a.region))
		},
	}
	a.moneyFlags(c)
	return c
}

// release is set by the linker for a release build.
var release = ""

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := release
			if info, ok := debug.ReadBuildInfo(); ok && v == "" {
				v = info.Main.Version
			}
			_, err := fmt.Fprintf(a.out, "ddbvet %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
