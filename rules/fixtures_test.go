package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/table"
	"ddbvet/rules"
)

// The fixtures of a rule are fixtures/rules/<rule-id>/: files that begin with
// bad, good and unknown, of any format the program reads. A line of a bad one
// carries `# want <rule-id> "regexp"` for each finding of the rule there, which
// must match "severity: message" (quotes or backquotes, nothing is escaped); a
// JSON file has them in a file beside it with .want added to its name, LINE
// rule-id "regexp".
// Findings of other rules in a bad fixture count only where they are marked.
// Good ones are silent under all rules but those a comment allows: `# allow
// rule-id reason`. In unknown ones the rule is not evaluated; a rule that
// needs nothing unknown says why in unknown.none.
const fixtureRoot = "../fixtures/rules"

// mark says that a finding is expected on a line.
type mark struct {
	line int
	rule string
	re   *regexp.Regexp
}

var (
	markRE  = regexp.MustCompile("#\\s*want\\s+((?:[a-z0-9-]+\\s+(?:\"[^\"]*\"|`[^`]*`)\\s*)+)")
	oneRE   = regexp.MustCompile("([a-z0-9-]+)\\s+(?:\"([^\"]*)\"|`([^`]*)`)")
	allowRE = regexp.MustCompile(`#\s*allow\s+([a-z0-9-]+)\s+(\S.*)`)
)

func TestFixtures(t *testing.T) {
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules.All {
		dir := filepath.Join(fixtureRoot, r.ID)
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Errorf("%s has no fixtures: %v", r.ID, err)
			continue
		}
		kinds := map[string]bool{}
		for _, f := range files {
			name := f.Name()
			kind := kindOf(name)
			kinds[kind] = true
			if kind == "" || strings.HasSuffix(name, ".want") || name == "unknown.none" {
				continue
			}
			t.Run(r.ID+"/"+name, func(t *testing.T) {
				checkFixture(t, book, r, kind, filepath.Join(dir, name))
			})
		}
		for _, kind := range []string{"bad", "good", "unknown"} {
			if !kinds[kind] {
				t.Errorf("%s has no %s fixture", r.ID, kind)
			}
		}
		if kinds[""] {
			t.Errorf("%s: a file is neither bad, good nor unknown", dir)
		}
	}
}

// TestFixtureFoldersAreRules finds folders that are left over.
func TestFixtureFoldersAreRules(t *testing.T) {
	dirs, err := os.ReadDir(fixtureRoot)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !slices.ContainsFunc(rules.All, func(r *rules.Rule) bool { return r.ID == d.Name() }) {
			t.Errorf("fixtures/rules/%s is the folder of no rule", d.Name())
		}
	}
}

func kindOf(name string) string {
	for _, kind := range []string{"bad", "good", "unknown"} {
		if rest, ok := strings.CutPrefix(name, kind); ok && (rest[0] == '.' || rest[0] == '-') {
			return kind
		}
	}
	return ""
}

// read loads a fixture; what the loader complains of fails the test.
func read(t *testing.T, path string) ([]byte, []*table.Table) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	res := load.Bytes(path, data, load.Options{})
	for _, e := range res.Errors {
		t.Errorf("%s", e)
	}
	if len(res.Tables) == 0 {
		t.Fatalf("%s describes no table", path)
	}
	return data, res.Tables
}

// runAll reads one input and runs every rule on its tables.
func runAll(t *testing.T, name string, data []byte) (rules.Result, []*table.Table) {
	t.Helper()
	return runInput(t, name, data, nil)
}

// runInput is runAll with a change of each table before the run, for evidence
// that no text format carries.
func runInput(t *testing.T, name string, data []byte, change func(*table.Table)) (rules.Result, []*table.Table) {
	t.Helper()
	read := load.Bytes(name, data, load.Options{})
	for _, e := range read.Errors {
		t.Errorf("%v", e)
	}
	for _, tbl := range read.Tables {
		if change != nil {
			change(tbl)
		}
	}
	book, err := cost.DefaultBook()
	if err != nil {
		t.Fatal(err)
	}
	return rules.Run(read.Tables, rules.All, rules.Options{Book: book, Region: func(t *table.Table) string {
		r, _ := t.Region.Get()
		return r
	}}), read.Tables
}

func show(f rules.Finding) string {
	return fmt.Sprintf("%s: %s %s (%s): %s [fix: %s]", f.At, f.Rule.ID, f.Severity, f.Known, f.Message, f.Fix)
}

func run(book *cost.Book, tables []*table.Table, rs []*rules.Rule) rules.Result {
	return rules.Run(tables, rs, rules.Options{Book: book, Region: func(*table.Table) string { return "us-east-1" }})
}

func checkFixture(t *testing.T, book *cost.Book, r *rules.Rule, kind, path string) {
	data, tables := read(t, path)
	res := run(book, tables, rules.All)
	switch kind {
	case "bad":
		marks := marksOf(t, path, data)
		if !slices.ContainsFunc(marks, func(m mark) bool { return m.rule == r.ID }) {
			t.Errorf("%s marks no finding of %s", path, r.ID)
		}
		compare(t, path, marks, res.Findings, r.ID)
	case "good":
		allowed := map[string]bool{}
		for _, m := range allowRE.FindAllStringSubmatch(string(data), -1) {
			allowed[m[1]] = true
		}
		if allowed[r.ID] {
			t.Errorf("%s allows the rule it is the good fixture of", path)
		}
		for _, f := range res.Findings {
			if !allowed[f.Rule.ID] {
				t.Errorf("%s: %s %s: %s", f.At, f.Severity, f.Rule.ID, f.Message)
			}
		}
		for _, o := range res.Outcomes {
			if o.Rule == r && o.State != rules.Passed {
				t.Errorf("%s ends %s on %s: %s", r.ID, o.State, o.Table.DisplayName(), needs(res, r))
			}
		}
	case "unknown":
		for _, o := range res.Outcomes {
			if o.Rule == r && o.State != rules.NotEvaluated {
				t.Errorf("%s ends %s on %s, want not evaluated", r.ID, o.State, o.Table.DisplayName())
			}
		}
		for _, s := range res.Skips {
			if s.Rule == r && len(s.Needs) == 0 {
				t.Errorf("%s is not evaluated and does not say what it needs", r.ID)
			}
		}
	}
}

func needs(res rules.Result, r *rules.Rule) (out []string) {
	for _, s := range res.Skips {
		if s.Rule == r {
			out = append(out, s.Subject+": "+strings.Join(s.Needs, "; "))
		}
	}
	return out
}

// marksOf reads the marks of a bad fixture or of the file beside it.
func marksOf(t *testing.T, path string, data []byte) (marks []mark) {
	t.Helper()
	add := func(line int, text string) {
		for _, m := range oneRE.FindAllStringSubmatch(text, -1) {
			re, err := regexp.Compile(m[2] + m[3])
			if err != nil {
				t.Fatalf("%s:%d: %v", path, line, err)
			}
			marks = append(marks, mark{line, m[1], re})
		}
	}
	if filepath.Ext(path) == ".json" {
		side, err := os.ReadFile(path + ".want")
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(string(side)) {
			number, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
			line, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("%s.want: %q does not begin with a line number", path, text)
			}
			add(line, rest)
		}
		return marks
	}
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		for _, m := range markRE.FindAllStringSubmatch(text, -1) {
			add(n, m[1])
		}
	}
	return marks
}

func (m mark) is(f rules.Finding) bool {
	return m.rule == f.Rule.ID && m.line == f.At.Start.Line && m.re.MatchString(f.Severity.String()+": "+f.Message)
}

// compare matches findings with marks, each with one.
func compare(t *testing.T, path string, marks []mark, findings []rules.Finding, rule string) {
	t.Helper()
	met := make([]bool, len(marks))
	for _, f := range findings {
		i := 0
		for i < len(marks) && (met[i] || !marks[i].is(f)) {
			i++
		}
		if i < len(marks) {
			met[i] = true
		} else if f.Rule.ID == rule {
			t.Errorf("%s: no mark for %s: %s %s", f.At, f.Rule.ID, f.Severity, f.Message)
		}
		if f.Rule.ID == rule && !f.At.Known() {
			t.Errorf("%s points nowhere: %s", rule, f.Message)
		}
	}
	for i, m := range marks {
		if !met[i] {
			t.Errorf("%s:%d: no finding for mark %s %s", path, m.line, m.rule, strconv.Quote(m.re.String()))
		}
	}
}
