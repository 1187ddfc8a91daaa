package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ddbvet/internal/load"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
)

// shipped plans a design file of the repository and returns the results by
// "table: pattern".
func shipped(t *testing.T, name string) map[string]plan.Result {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "designs", name))
	if err != nil {
		t.Fatal(err)
	}
	read := load.Design(source.NewFile(name, data))
	for _, e := range read.Errors {
		t.Errorf("%s", e)
	}
	out := map[string]plan.Result{}
	for _, tbl := range read.Tables {
		for _, r := range plan.Table(tbl) {
			pattern, _ := r.Pattern.Name.Get()
			out[pattern] = r
		}
	}
	return out
}

// line is where and how a pattern is served, or the kinds of its faults.
func line(r plan.Result) string {
	if r.Access == nil {
		var kinds []string
		for _, f := range r.Faults {
			kinds = append(kinds, string(f.Kind)+" "+f.Attribute)
		}
		return string(r.State) + ": " + strings.Join(kinds, ", ")
	}
	where := "base"
	if r.Access.Index != nil {
		where = r.Access.Index.DisplayName()
	}
	return where + ": " + r.Access.Condition
}

func TestShippedDesigns(t *testing.T) {
	for file, patterns := range map[string]map[string]string{
		"shop.ddb.toml": {
			"profile by user":              `base: PK = "USER#{userId}" AND SK = "PROFILE"`,
			"orders of a user":             `base: PK = "USER#{userId}" AND begins_with(SK, "ORDER#")`,
			"user and orders in one query": `base: PK = "USER#{userId}"`,
			"lines of an order":            `base: PK = "ORDER#{orderId}"`,
			"orders by status by date":     `GSI1: GSI1PK = "STATUS#{status}" AND GSI1SK BETWEEN :from AND :to`,
			"products of a category":       `GSI1: GSI1PK = "CATEGORY#{category}"`,
		},
		"shop-mistakes.ddb.toml": {
			"orders shipped in June, all users": "unserved: strong-on-gsi ",
			"orders shipped in June, eventual":  `GSI1: GSI1PK = "STATUS#shipped" AND GSI1SK BETWEEN "2026-06-01" AND "2026-06-30~"`,
			"total sales by day":                "unserved: partition-missing PK, not-key orderDay",
			"lines of a user's orders":          "unserved: template-mismatch PK",
		},
		"assessment-single.ddb.toml": {
			"user by id":                                          "unserved: partition-missing PK",
			"users of a company":                                  `base: PK = "COMPANY#{companyId}" AND begins_with(SK, "USER#")`,
			"results of a user, newest first":                     `base: PK = "USER#{userId}" AND begins_with(SK, "RESULT#")`,
			"results of a company by type, status and period":     `GSI1: GSI1PK = "COMPANY#{companyId}" AND begins_with(GSI1SK, "{assessmentType}#{status}#{yyyy-mm}")`,
			"results of a company by type and period, any status": "unserved: sort-gap status",
			"user and their results (2 of 2): the results":        `base: PK = "USER#{userId}" AND begins_with(SK, "RESULT#")`,
		},
		"assessment-multi.ddb.toml": {
			"user by id": "base: userId = :user",
			"results of a company by type, status and period": "byCompany: companyId = :company",
		},
		"assessment-multi-attribute.ddb.toml": {
			"results of a company by type, status and period":     "byCompany: companyId = :company AND assessmentType = :type AND status = :status AND createdAt BETWEEN :from AND :to",
			"all results of a company":                            "byCompany: companyId = :company",
			"results of a company by type and period, any status": "unserved: sort-gap status",
			"results of a company by status and period":           "unserved: sort-gap assessmentType",
		},
		"assessment-keys-only.ddb.toml": {
			"results of a company by type, status and period": "unserved: not-projected userId",
		},
		"assessment-wide-partition.ddb.toml": {
			"all results of a company": "unserved: partition-missing assessmentType",
		},
	} {
		results := shipped(t, file)
		for name, want := range patterns {
			if got := line(results[name]); got != want {
				t.Errorf("%s: %s:\n got %s\nwant %s", file, name, got, want)
			}
		}
	}
}

// TestFaultsStandInTheFile reads the marked text back at each fault's place.
func TestFaultsStandInTheFile(t *testing.T) {
	results := shipped(t, "assessment-multi-attribute.ddb.toml")
	for name, want := range map[string]string{
		"results of a company by type and period, any status": "createdAt BETWEEN",
		"results of a company by status and period":           "#",
	} {
		at := results[name].Faults[0].At
		text := []rune(at.File.Line(at.Start.Line))
		if got := string(text[at.Start.Col-1:]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the fault stands at %q, want %q", name, got, want)
		}
	}
}
