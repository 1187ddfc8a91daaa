package reports

import (
	"strings"

	"ddbvet/rules"
)

type rulesJSON struct {
	Schema string     `json:"schema"`
	Rules  []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	ID       string   `json:"id"`
	Severity string   `json:"severity"`
	Needs    []string `json:"needs"`
	Summary  string   `json:"summary"`
	Preset   []string `json:"preset"`
	State    string   `json:"state"`
}

type explainJSON struct {
	Schema string `json:"schema"`
	ruleJSON
	Why       string `json:"why"`
	Fix       string `json:"fix"`
	Threshold string `json:"threshold"`
	Source    string `json:"source"`
	Since     string `json:"since"`
	Bad       string `json:"bad"`
	Good      string `json:"good"`
}

// Rules lists rules.
func Rules(list []*rules.Rule) Report {
	doc := rulesJSON{Schema: "ddbvet/rules/v1", Rules: []ruleJSON{}}
	tab := Table{Head: []string{"rule", "severity", "needs", "what it finds"}}
	for _, r := range list {
		j := ruleDoc(r)
		doc.Rules = append(doc.Rules, j)
		tab.Rows = append(tab.Rows, []Cell{{Text: j.ID}, {j.Severity, tones[r.Severity]}, {strings.Join(j.Needs, ", "), Dim}, {Text: j.Summary}})
	}
	return Report{doc, []Block{tab}}
}

func ruleDoc(r *rules.Rule) ruleJSON {
	state := "stable"
	if r.Preview {
		state = "preview"
	}
	presets := r.Presets
	if presets == nil {
		presets = []string{"recommended"}
	}
	return ruleJSON{r.ID, r.Severity.String(), notNil((r.Needs | r.Either).Names()), r.Doc.Summary, presets, state}
}

// Explain is one rule with its reason, threshold, source and examples.
func Explain(r *rules.Rule) Report {
	d := r.Doc
	j := ruleDoc(r)
	doc := explainJSON{"ddbvet/explain/v1", j, d.Why, d.Fix, d.Threshold, d.Source, d.Since, d.Bad, d.Good}
	blocks := []Block{
		Heading{1, r.ID},
		Paragraph{d.Summary, Plain},
		Paragraph{"severity " + j.Severity + "; needs " + strings.Join(j.Needs, ", ") + "; since " + d.Since, Dim},
		Heading{2, "Why"},
		Paragraph{d.Why, Plain},
		Heading{2, "Fix"},
		Paragraph{d.Fix, Plain},
		Heading{2, "Threshold"},
		Paragraph{d.Threshold, Plain},
		Paragraph{"Source: " + d.Source, Dim},
		Heading{2, "Bad"},
		Code{d.Bad},
		Heading{2, "Good"},
		Code{d.Good},
	}
	return Report{doc, blocks}
}
