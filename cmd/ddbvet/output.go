package main

import (
	"bytes"
	"os"
	"strings"

	"ddbvet/reports"
)

// output is one report to be written: a format and a file, "" for standard output.
type output struct {
	write reports.Writer
	file  string
}

// outputs checks --format and -o before any work is done.
func (a *app) outputs() ([]output, error) {
	w, err := reports.ForFormat(a.format)
	if err != nil {
		return nil, usage("--format: %v", err)
	}
	outs := []output{{w, ""}}
	for _, o := range a.formats {
		name, file, ok := strings.Cut(o, "=")
		if !ok || file == "" {
			return nil, usage("-o %q: expected FORMAT=FILE, such as json=report.json", o)
		}
		w, err := reports.ForFormat(name)
		if err != nil {
			return nil, usage("-o %q: %v", o, err)
		}
		outs = append(outs, output{w, file})
	}
	return outs, nil
}

// emit writes a report to every output.
func (a *app) emit(outs []output, r reports.Report) error {
	for _, o := range outs {
		style := a.style()
		if o.file != "" {
			style = reports.Style{}
		}
		var buf bytes.Buffer
		if err := o.write(&buf, r, style); err != nil {
			return exit{exitUsage, err.Error()}
		}
		if o.file == "" {
			if _, err := a.out.Write(buf.Bytes()); err != nil {
				return exit{exitUsage, err.Error()}
			}
		} else if err := os.WriteFile(o.file, buf.Bytes(), 0o644); err != nil {
			return usage("cannot write the report: %v", err)
		}
	}
	return nil
}

// show is emit for commands that compute nothing that could fail before.
func (a *app) show(r reports.Report) error {
	outs, err := a.outputs()
	if err != nil {
		return err
	}
	return a.emit(outs, r)
}

// style decides colour and width once, here.
func (a *app) style() reports.Style {
	force := a.getenv("CLICOLOR_FORCE")
	colour := a.terminal && a.getenv("TERM") != "dumb"
	if force != "" && force != "0" {
		colour = true
	}
	if a.noColor || a.getenv("NO_COLOR") != "" {
		colour = false
	}
	return reports.Style{Width: a.width, Color: colour}
}
