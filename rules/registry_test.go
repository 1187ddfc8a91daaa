package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var ruleDecl = regexp.MustCompile(`(?m)^var (\w+) = &Rule\{\n\tID:\s+"([^"]+)"`)

// TestRegistryIsTheDirectory compares All with the rule files: one rule a file
// named after its id, each registered once, in order.
func TestRegistryIsTheDirectory(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "= &Rule{"); n != len(ruleDecl.FindAllString(string(data), -1)) {
			t.Errorf("%s: a rule is not declared as `var name = &Rule{` with its ID first", file)
		}
		for _, m := range ruleDecl.FindAllStringSubmatch(string(data), -1) {
			found = append(found, m[2])
			if want := strings.ReplaceAll(m[2], "-", "_") + ".go"; file != want {
				t.Errorf("rule %s is in %s, want %s", m[2], file, want)
			}
		}
	}
	slices.Sort(found)
	var listed []string
	for _, r := range All {
		listed = append(listed, r.ID)
	}
	if !slices.IsSorted(listed) {
		t.Errorf("All is not in order of id: %v", listed)
	}
	if len(slices.Compact(slices.Clone(listed))) != len(listed) {
		t.Errorf("All names a rule twice: %v", listed)
	}
	for _, id := range found {
		if !slices.Contains(listed, id) {
			t.Errorf("rule %s is not in All", id)
		}
	}
	if len(found) != len(listed) {
		t.Errorf("%d rules in files, %d in All", len(found), len(listed))
	}
}

func TestRulesAreComplete(t *testing.T) {
	for _, r := range All {
		if r.Severity < Note || r.Severity > Error {
			t.Errorf("%s has no severity", r.ID)
		}
		if r.Needs == 0 || r.Check == nil {
			t.Errorf("%s has no evidence or no check", r.ID)
		}
		d := r.Doc
		for name, text := range map[string]string{
			"Summary": d.Summary, "Why": d.Why, "Fix": d.Fix, "Threshold": d.Threshold,
			"Source": d.Source, "Since": d.Since, "Bad": d.Bad, "Good": d.Good,
		} {
			if strings.TrimSpace(text) != text || text == "" {
				t.Errorf("%s: Doc.%s is %q", r.ID, name, text)
			}
		}
		if strings.Contains(d.Summary, "\n") || strings.HasSuffix(d.Summary, ".") {
			t.Errorf("%s: Summary is a line without a period, not %q", r.ID, d.Summary)
		}
		for name, text := range map[string]string{"Why": d.Why, "Fix": d.Fix} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: Doc.%s is made of sentences, not %q", r.ID, name, text)
			}
		}
	}
}
