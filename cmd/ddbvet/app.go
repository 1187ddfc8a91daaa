package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// The exit codes of the contract.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
)

// env is everything the program takes from outside, so that tests give their own.
type env struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	terminal bool // out is a terminal
	width    int  // of the terminal; 0: no limit
}

// system is the real surroundings.
func system() env {
	e := env{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}
	fd := int(os.Stdout.Fd())
	e.terminal = term.IsTerminal(fd)
	if e.terminal {
		if w, _, err := term.GetSize(fd); err == nil {
			e.width = w
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		e.width = n
	}
	return e
}

// exit is an error that carries an exit code; an empty message prints nothing.
type exit struct {
	code    int
	message string
}

func (e exit) Error() string { return e.message }

// usage is the error of a call that cannot be taken.
func usage(format string, args ...any) error {
	return exit{exitUsage, fmt.Sprintf(format, args...)}
}

// app is one run of the program.
type app struct {
	env
	formats    []string // FORMAT=FILE of -o
	format     string
	failOn     string
	region     string
	prices     string
	noColor    bool
	parameters []string
	stdinName  string
}

// run runs the program and returns its exit code.
func run(args []string, e env) int {
	a := &app{env: e}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	err := root.Execute()
	var ex exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &ex):
		if ex.message != "" {
			fmt.Fprintln(e.err, "ddbvet: "+ex.message)
		}
		return ex.code
	}
	fmt.Fprintf(e.err, "ddbvet: %s\n", strings.TrimSuffix(err.Error(), "\n"))
	return exitUsage
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "ddbvet",
		Short:         "Vet DynamoDB tables: design faults, what they cost, and which capacity mode fits",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = versionText()
	root.SetVersionTemplate("ddbvet {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%v; see `%s --help`", err, c.CommandPath())
	})
	f := root.PersistentFlags()
	f.StringVar(&a.format, "format", "text", "`FORMAT` of standard output: text, markdown or json")
	f.StringArrayVarP(&a.formats, "output", "o", nil, "write the report as `FORMAT=FILE` as well; repeatable")
	f.BoolVar(&a.noColor, "no-color", false, "no colour (NO_COLOR and CLICOLOR_FORCE are honoured)")
	root.AddCommand(a.lint(), a.inspect(), a.estimate(), a.capacity(), a.rules(), a.explain(), a.showPrices(), a.version())
	_ = root.RegisterFlagCompletionFunc("format", oneOf("text", "markdown", "json")) // fails for no such flag alone
	helpFails(root)
	return root
}

// helpFails makes "help" of a command that does not exist a call that cannot
// be taken.
func helpFails(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		show := c.Run
		c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
			if found, _, err := root.Find(args); found == nil || err != nil {
				return usage("no command %q; `ddbvet --help` lists them", strings.Join(args, " "))
			}
			show(c, args)
			return nil
		}
	}
}

// oneOf completes a flag that takes one of a few words.
func oneOf(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// noArgs refuses arguments of a command that takes none.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument, but %q was given", c.Name(), args[0])
	}
	return nil
}

// moneyFlags are the flags of commands that price something.
func (a *app) moneyFlags(c *cobra.Command) {
	c.Flags().StringVar(&a.region, "region", "", "AWS `REGION` whose prices count (default: the table's own, then AWS_REGION)")
	c.Flags().StringVar(&a.prices, "prices", "", "price book `FILE` in the CSV form of the embedded one")
}

// readFlags are the flags of commands that read described tables.
func (a *app) readFlags(c *cobra.Command) {
	c.Flags().StringArrayVar(&a.parameters, "parameter", nil, "CloudFormation parameter `K=V`; repeatable")
	c.Flags().StringVar(&a.stdinName, "stdin-filename", "stdin", "`NAME` shown for standard input, which the path - reads")
}
