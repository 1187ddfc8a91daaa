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
		Use: "rules", Short: "List the rules", Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.show(reports.Rules(rules.All)) },
	}
}

func (a *app) explain() *cobra.Command {
	return &cobra.Command{
		Use: "explain RULE", Short: "Explain one rule: reason, threshold, source, a bad and a good example",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("explain takes one RULE; `ddbvet rules` lists them")
			}
			return nil
		},
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
		Args: noArgs,
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
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "ddbvet "+versionText())
			return err
		},
	}
}

func versionText() string {
	v := release
	if info, ok := debug.ReadBuildInfo(); ok && v == "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("%s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
