package rules_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ddbvet/internal/table"
	"ddbvet/rules"
)

// checklistOf answers the lines of the table named.
func checklistOf(t *testing.T, res rules.Result, tables []*table.Table, name string) []rules.ChecklistItem {
	t.Helper()
	for _, tbl := range tables {
		if tbl.DisplayName() == name {
			return rules.Checklist(tbl, res)
		}
	}
	t.Fatalf("no table %q", name)
	return nil
}

// states is the lines' states as letters: p, f and n.
func states(items []rules.ChecklistItem) string {
	var b strings.Builder
	for _, i := range items {
		b.WriteString(string(i.State)[:1])
	}
	return b.String()
}

func TestChecklistOfDesigns(t *testing.T) {
	for _, c := range []struct{ file, table, want string }{
		// served, Scan, keys, projection, consistency, items, LSIs, shape, mode
		{"shop.ddb.toml", "Shop", "ppppppppn"},
		{"shop-mistakes.ddb.toml", "Shop", "fffpffpnn"},
		{"assessment-keys-only.ddb.toml", "AssessmentResults", "fppfpppfn"},
		{"assessment-multi-attribute.ddb.toml", "AssessmentResults", "fppppppnn"},
		{"assessment-wide-partition.ddb.toml", "AssessmentResults", "fppppppnn"},
		{"assessment-single.ddb.toml", "AppTable", "fppppppnn"},
	} {
		t.Run(c.file, func(t *testing.T) {
			data, err := os.ReadFile("../fixtures/designs/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			res, tables := runAll(t, c.file, data)
			items := checklistOf(t, res, tables, c.table)
			if got := states(items); got != c.want {
				for _, i := range items {
					t.Logf("%s %s %v", i.State, i.Item, i.Needs)
				}
				t.Errorf("states are %s, want %s", got, c.want)
			}
			for _, i := range items {
				if (i.State == rules.NotEvaluated) != (len(i.Needs) > 0) {
					t.Errorf("%q is %s and needs %v", i.Item, i.State, i.Needs)
				}
				if i.Table.DisplayName() != c.table {
					t.Errorf("%q is of %q", i.Item, i.Table.DisplayName())
				}
			}
		})
	}
}

func TestChecklistLines(t *testing.T) {
	want := []string{
		"access patterns are written down and each is served",
		"no Scan on a main path",
		"partition keys have many values and no hot key",
		"indexes project only what is read",
		"reads are eventually consistent unless a reason is given",
		"items are small, large payloads elsewhere",
		"LSIs only where strong reads need them (and are there from the start)",
		"data is shaped as it is read, not normalised",
	}
	lines := func(items []rules.ChecklistItem) (out []string) {
		for _, i := range items {
			out = append(out, i.Item)
		}
		return out
	}
	res, tables := loadAndRun(t, design("partition_key = \"id:S\"\n"), nil)
	items := rules.Checklist(tables[0], res)
	if got := lines(items); !slices.Equal(got, want) {
		t.Errorf("lines are %q", got)
	}
	// Nothing is known of this table but its key: nothing may pass but what
	// follows from there being no index.
	if got := states(items); got != "nnnpnnpn" {
		t.Errorf("states are %s", got)
	}
	res, tables = loadAndRun(t, design(logTable, "OPS_LOG", "", "rate = 5"), nil)
	items = rules.Checklist(tables[0], res)
	if got := lines(items); !slices.Equal(got, append(want, "the capacity mode fits the load")) {
		t.Errorf("lines with rates are %q", got)
	}
	if items[2].State == rules.Fail {
		t.Error("a note fails a line")
	}
	res, tables = loadAndRun(t, design(logTable, "OPS_LOG", "", "rate = 600"), nil)
	if got := rules.Checklist(tables[0], res)[2]; got.State != rules.Fail || !slices.Contains(got.Rules, "key-constant") || len(got.Needs) != 0 {
		t.Errorf("a warning does not fail its line: %+v", got)
	}
}

// TestChecklistWithoutRules: a line of which no rule ran is not passed.
func TestChecklistWithoutRules(t *testing.T) {
	_, tables := loadAndRun(t, design(logTable, "{host}", "", "rate = 5"), nil)
	for _, i := range rules.Checklist(tables[0], rules.Result{}) {
		if i.State != rules.NotEvaluated {
			t.Errorf("%q is %s though nothing ran", i.Item, i.State)
		}
	}
}
