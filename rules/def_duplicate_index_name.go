package rules

import (
	"fmt"

	"ddbvet/internal/source"
)

var defDuplicateIndexName = &Rule{
	ID: "def-duplicate-index-name", Severity: Error, Needs: Definition, Check: checkDefDuplicateIndexName,
	Doc: Doc{
		Summary:   "two indexes of a table share a name",
		Why:       "Index names are unique within a table, across global, local and vector indexes; the deployment fails.",
		Fix:       "Rename one of the indexes.",
		Threshold: "each name once a table",
		Source:    "DynamoDB API reference: GlobalSecondaryIndex (IndexName)",
		Since:     "0.1",
		Bad:       "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\n[[table.gsi]]\nname = \"byMail\"\npartition_key = \"phone:S\"",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\n[[table.gsi]]\nname = \"byPhone\"\npartition_key = \"phone:S\"",
	},
}

func checkDefDuplicateIndexName(p *Pass) {
	t := p.Table
	gaps := append(indexGaps(t), listGaps("vector indexes", t.Vectors)...)
	var names []source.Value[string]
	for _, ix := range t.Indexes() {
		names = append(names, ix.Name)
	}
	for _, v := range t.Vectors.Items {
		names = append(names, v.Name)
	}
	first := map[string]source.Span{}
	reported := map[string]bool{}
	for _, v := range names {
		name, ok := v.Get()
		if !ok {
			if len(names) > 1 {
				gaps = append(gaps, gap("index name", v))
			}
			continue
		}
		at, twice := first[name]
		if !twice {
			first[name] = v.At
			continue
		}
		if reported[name] {
			continue
		}
		reported[name] = true
		msg := fmt.Sprintf("second index named %q; index names are unique within a table", name)
		if at.Start.Known() {
			msg += fmt.Sprintf(" (the first is on line %d)", at.Start.Line)
		}
		p.Report(Finding{Index: name, At: v.At, Message: msg})
	}
	if len(gaps) > 0 {
		p.Skip("", gaps...)
	}
}
