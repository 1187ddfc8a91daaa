package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ddbvet/cost"
	"ddbvet/internal/load"
	"ddbvet/internal/table"
	"ddbvet/rules"
)

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
	for _, tbl := range read.Tables {
		if change != nil {
			change(tbl)
		}
	}
	for _, e := range read.Errors {
		t.Errorf("%v", e)
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

// A mark is `# want rule-id "regexp"`; several may stand on one line.
var markRE = regexp.MustCompile("want ([a-z0-9-]+) (?:\"([^\"]*)\"|`([^`]*)`)")

type mark struct {
	line int
	id   string
	re   *regexp.Regexp
	met  bool
}

func marksOf(t *testing.T, data string) (marks []*mark) {
	for i, text := range strings.Split(data, "\n") {
		_, comment, ok := strings.Cut(text, "# want ")
		if !ok {
			continue
		}
		for _, m := range markRE.FindAllStringSubmatch("want "+comment, -1) {
			re, err := regexp.Compile(m[2] + m[3])
			if err != nil {
				t.Errorf("line %d: %v", i+1, err)
				continue
			}
			marks = append(marks, &mark{i + 1, m[1], re, false})
		}
	}
	return marks
}

// TestFixtures runs every rule on every rule's fixtures. In a bad one findings
// and marks must meet one to one; a good one is silent under all rules; on an
// unknown one its rule finds nothing and is not evaluated.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("../fixtures/rules/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		id := filepath.Base(filepath.Dir(file))
		name := filepath.Base(file)
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			continue
		}
		t.Run(id+"/"+name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			res, _ := runAll(t, name, data)
			switch {
			case strings.HasPrefix(name, "bad"):
				checkMarks(t, id, res, marksOf(t, string(data)))
			case strings.HasPrefix(name, "good"):
				for _, f := range res.Findings {
					t.Errorf("a good fixture is not silent: %s", show(f))
				}
			case strings.HasPrefix(name, "unknown"):
				checkUnknown(t, id, res)
			default:
				t.Errorf("the file is none of bad, good and unknown")
			}
		})
	}
}

func show(f rules.Finding) string {
	return fmt.Sprintf("%s: %s %s (%s): %s [fix: %s]", f.At, f.Rule.ID, f.Severity, f.Known, f.Message, f.Fix)
}

func checkMarks(t *testing.T, id string, res rules.Result, marks []*mark) {
	t.Helper()
	own := false
	for _, f := range res.Findings {
		own = own || f.Rule.ID == id
		text := fmt.Sprintf("%s: %s", f.Severity, f.Message)
		i := slices.IndexFunc(marks, func(m *mark) bool {
			return !m.met && m.line == f.At.Start.Line && m.id == f.Rule.ID && m.re.MatchString(text)
		})
		if i < 0 {
			t.Errorf("no mark for %s", show(f))
			continue
		}
		marks[i].met = true
	}
	for _, m := range marks {
		if !m.met {
			t.Errorf("line %d: no finding of %s matches %q", m.line, m.id, m.re)
		}
	}
	if !own {
		t.Errorf("a bad fixture of %s has no finding of it", id)
	}
}

func checkUnknown(t *testing.T, id string, res rules.Result) {
	t.Helper()
	skipped := false
	for _, s := range res.Skips {
		skipped = skipped || s.Rule.ID == id && len(s.Needs) > 0
	}
	if !skipped {
		t.Errorf("%s was not skipped", id)
	}
	for _, f := range res.Findings {
		if f.Rule.ID == id {
			t.Errorf("a finding without its evidence: %s", show(f))
		}
	}
}

// TestEveryRuleHasFixtures wants a bad, a good and an unknown fixture of every
// rule that has any.
func TestEveryRuleHasFixtures(t *testing.T) {
	for _, r := range rules.All {
		dir := filepath.Join("../fixtures/rules", r.ID)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		for _, kind := range []string{"bad", "good", "unknown"} {
			if files, _ := filepath.Glob(filepath.Join(dir, kind+"*")); len(files) == 0 {
				t.Errorf("%s has no %s fixture", r.ID, kind)
			}
		}
	}
}
