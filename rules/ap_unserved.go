package rules

import (
	"strings"

	"ddbvet/internal/plan"
)

var apUnserved = &Rule{
	ID:       "ap-unserved",
	Severity: Error,
	Needs:    Patterns,
	Check:    checkAPUnserved,
	Doc: Doc{
		Summary:   "no key of the table or its indexes serves an access pattern as declared",
		Why:       "A key schema is the only query ability a table has. A pattern that no key serves ends as a Scan, as a request that DynamoDB refuses, or as an answer that is silently empty.",
		Fix:       "Serve the pattern with a key or an index, or query what already serves it.",
		Threshold: "every declared pattern must be served by the table or the index that it names",
		Source:    "DynamoDB Developer Guide, \"NoSQL design for DynamoDB\" and \"Key condition expressions for the Query operation\"",
		Since:     "0.1",
		Bad:       "[[access_pattern]]\noperation = \"Query\"\nkey = \"email = :e\"   # no key or index on email",
		Good:      "[[access_pattern]]\noperation = \"Query\"\nindex = \"byEmail\"\nkey = \"email = :e\"",
	},
}

func checkAPUnserved(p *Pass) {
	for i := range p.Plans {
		r := &p.Plans[i]
		switch r.State {
		case plan.Unknown:
			p.Skip(patternName(r.Pattern), r.Needs...)
		case plan.Unserved:
			if undeclaredKey(r) {
				p.Skip(patternName(r.Pattern), "the key condition")
				continue
			}
			p.reportUnserved(r)
		}
	}
}

// undeclaredKey tells whether nothing is wrong but that no condition was written
// down. A filter without a key condition is one: no key serves it.
func undeclaredKey(r *plan.Result) bool {
	for _, f := range r.Faults {
		if f.Kind != plan.NoKey {
			return false
		}
	}
	return len(r.Faults) > 0 && r.Pattern.Filter.Absent()
}

// reportUnserved reports one pattern once, with every reason that has no rule
// of its own. A pattern whose reasons all have one is theirs.
func (p *Pass) reportUnserved(r *plan.Result) {
	var reasons []string
	at := r.Pattern.At
	attribute := ""
	for _, f := range r.Faults {
		if f.Kind == plan.GetOnIndex {
			return // what else is wrong follows from it
		}
		if owned(r, f) {
			continue
		}
		if len(reasons) == 0 {
			at, attribute = faultPlace(r, f), f.Attribute
		}
		reasons = append(reasons, f.Message)
	}
	switch {
	case len(r.Faults) == 0:
		reasons = []string{"no key or index matches it"}
	case len(reasons) == 0:
		return
	}
	p.Report(Finding{
		Known: Proven, At: at, Pattern: patternName(r.Pattern), Attribute: attribute, Index: knownText(r.Pattern.Index),
		Message: "access pattern " + quoted(patternName(r.Pattern)) + " is not served: " + strings.Join(reasons, "; "),
		Fix:     unservedFix(r),
	})
}

// unservedFix names what serves the pattern already, else the changes that
// would, cheapest first.
func unservedFix(r *plan.Result) string {
	if len(r.Others) > 0 {
		return accessText(r.Others[0])
	}
	if len(r.Changes) == 0 {
		return requestFix(r)
	}
	fix := "Cheapest: " + changeText(r.Changes[0])
	for _, c := range r.Changes[1:] {
		fix += " Or: " + changeText(c)
	}
	return fix
}

// requestFix is the advice where the request itself is wrong and no key would
// serve it; "" is the rule's own.
func requestFix(r *plan.Result) string {
	switch r.Faults[0].Kind {
	case plan.BadExpression:
		return "Write the expression as DynamoDB takes it: in a key condition = for partition attributes, one of =, <, <=, >, >=, BETWEEN and begins_with for sort attributes, AND between them; reserved words through names."
	case plan.TemplateMismatch:
		return "Give a value that is made as the keys are, or declare the kind of item that is meant."
	}
	return ""
}
