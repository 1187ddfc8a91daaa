package rules

import (
	"ddbvet/cost"
	"ddbvet/internal/table"
)

// nearPage is the bytes from which a result is said to fill a page: 90 %.
const nearPage = 0.9 * cost.PageBytes

var apPage1MB = &Rule{
	ID:       "ap-page-1mb",
	Severity: Warning,
	Needs:    Patterns,
	Check:    checkAPPage1MB,
	Doc: Doc{
		Summary:   "one call reads about a page of 1 MB or more",
		Why:       "A Query stops after 1 MB, filter or not. Code that does not follow LastEvaluatedKey loses the rest, and code that does takes one round trip a page.",
		Fix:       "Ask for less: a page size, a time range in the key condition, or an index that projects only what is shown.",
		Threshold: "0.9 MB of items evaluated by one call, before any filter or projection expression",
		Source:    "DynamoDB Developer Guide, \"Paginating table query results\"; 0.9: AWS DynamoDB skill",
		Since:     "0.1",
		Bad:       "operation = \"Query\"\nkey = \"userId = :u\"\nreturns = 2_000   # of 1 KB",
		Good:      "operation = \"Query\"\nkey = \"userId = :u\"\nreturns = 50",
	},
}

func checkAPPage1MB(p *Pass) {
	for i := range p.Plans {
		r := &p.Plans[i]
		if op, _ := r.Pattern.Operation.Get(); op != table.Query || r.Access == nil {
			continue
		}
		bytes, ok := r.Bytes.Get()
		if !ok {
			p.Skip(patternName(r.Pattern), "items per call and their size")
			continue
		}
		bytes /= max(1, r.Access.Queries)
		if bytes < nearPage {
			continue
		}
		msg := "access pattern " + quoted(patternName(r.Pattern)) + " reads " + byteSize(bytes) + " a call (a page is 1 MB)"
		if pages := steps(bytes, cost.PageBytes); pages > 1 {
			msg += ", " + counted(pages, "round trip")
		}
		p.Report(Finding{
			Known: Estimated, At: r.Pattern.At, Pattern: patternName(r.Pattern), Index: knownText(r.Pattern.Index),
			Message: msg,
			Numbers: []Number{{"bytes", bytes}, {"pages", steps(bytes, cost.PageBytes)}},
		})
	}
}
