package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var lsiNotNeeded = &Rule{
	ID: "lsi-not-needed", Severity: Warning, Needs: Definition | Patterns, Applies: hasLSI, Check: checkLSINotNeeded,
	Doc: Doc{
		Summary:   "no access pattern reads a local index strongly",
		Why:       "Strongly consistent reads are all that a local index has over a global one; its 10 GB cap and its permanence come for nothing.",
		Fix:       "Replace it by a global secondary index with the same keys; a local index cannot be removed, so this means a new table.",
		Threshold: "no declared pattern on the index with consistent = true",
		Source:    "DynamoDB developer guide: LSI, bp-indexes-general",
		Since:     "0.1",
		Bad:       "[[table.lsi]]\nname = \"byDate\"\nsort_key = \"date:S\"\n[[access_pattern]]\nindex = \"byDate\"\nconsistent = false",
		Good:      "[[table.gsi]]\nname = \"byDate\"\npartition_key = \"tenantId:S\"\nsort_key = \"date:S\"\n[[access_pattern]]\nindex = \"byDate\"\nconsistent = false",
	},
}

func checkLSINotNeeded(p *Pass) {
	t := p.Table
	if gaps := listGaps("lsis", t.LSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, ix := range t.LSIs.Items {
		readers, strong, gaps := readersOf(t, ix)
		switch {
		case strong:
		case len(gaps) > 0:
			p.Skip(ix.DisplayName(), gaps...)
		case readers == 0:
			p.Report(Finding{
				Known: Estimated, Index: ix.DisplayName(), At: ix.At,
				Message: fmt.Sprintf("no declared access pattern uses local index %q", ix.DisplayName()),
				Numbers: []Number{{"patterns", 0}},
			})
		default:
			p.Report(Finding{
				Known: Estimated, Index: ix.DisplayName(), At: ix.At,
				Message: fmt.Sprintf("%s on local index %q, 0 of them strongly consistent; a global index would do",
					plural(readers, "pattern", "patterns"), ix.DisplayName()),
				Numbers: []Number{{"patterns", float64(readers)}, {"strong_patterns", 0}},
			})
		}
	}
}

// readersOf counts the patterns on an index and tells whether one reads it
// strongly; gaps says what could still make one.
func readersOf(t *table.Table, ix *table.Index) (readers int, strong bool, gaps []string) {
	gaps = listGaps("access patterns", t.Patterns)
	name, ok := ix.Name.Get()
	if !ok {
		return 0, false, append(gaps, gap("index name", ix.Name))
	}
	for _, pt := range t.Patterns.Items {
		index, known := pt.Index.Get()
		switch {
		case pt.Index.Unresolved():
			gaps = append(gaps, gap(fmt.Sprintf("index of pattern %q", patternName(pt)), pt.Index))
		case !known || index != name:
		default:
			readers++
			strong = strong || source.Is(pt.Consistent, true)
			if pt.Consistent.Unresolved() {
				gaps = append(gaps, gap(fmt.Sprintf("consistency of pattern %q", patternName(pt)), pt.Consistent))
			}
		}
	}
	return readers, strong, gaps
}
